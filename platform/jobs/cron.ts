import { Cron } from 'croner'

/** Times of a cron expression; the same function shows the next runs and runs them. */
export class CronTimes {
  readonly #cron: Cron

  /**
   * @param text minute, hour, day of month, month and day of week with single blanks between them, as crontab(5); or `@hourly`, `@daily`, `@weekly`
   * @param timeZone by its name, such as Europe/Berlin
   * @throws Error that says what is wrong
   */
  constructor(text: string, timeZone = 'UTC') {
    const fields = ALIASES[text] ?? text
    if (!FIELDS.test(fields))
      throw new Error(
        `${JSON.stringify(text.slice(0, 100))} is no cron expression: expected five fields such as 30 2 * * 1-5, or one of ${Object.keys(ALIASES).join(', ')}`,
      )
    if (!isTimeZone(timeZone))
      throw new Error(
        `${JSON.stringify(timeZone.slice(0, 100))} is no time zone: expected a name such as Europe/Berlin`,
      )
    try {
      this.#cron = new Cron(fields, { timezone: timeZone, mode: '5-part' })
    } catch (cause) {
      // croner counts days and months from 0.
      throw new Error(`${JSON.stringify(text)} is no cron expression: expected ${RANGES}`, {
        cause,
      })
    }
    if (!this.after(new Date())) throw new Error(`${text} has no run within eight years`)
  }

  /** The first time behind another; null where there is none within eight years. */
  after(time: Date): Date | null {
    const next = this.#cron.nextRun(time)
    if (!next || +next > +time + HORIZON_MS) return null
    if (next <= time)
      throw new Error(`${this.#cron.getPattern()} goes back from ${time.toISOString()}`)
    return next
  }
}

const ALIASES: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@weekly': '0 0 * * 0',
}

const VALUE = '(\\d{1,2}|[A-Za-z]{3})'
/** A step stands behind `*` or a range: croner searches for a minute where it starts out of range. */
const ITEM = `(${VALUE}|(\\*|${VALUE}-${VALUE})(/\\d{1,2})?)`
const FIELDS = new RegExp(`^(${ITEM}(,${ITEM})*( (?!$)|$)){5}$`)

const RANGES =
  'minutes 0-59, hours 0-23, days 1-31, months 1-12 or JAN-DEC, days of the week 0-7 or SUN-SAT, ranges that go up, and steps from 1'

/** Leap days are up to eight years apart. */
const HORIZON_MS = (8 * 365 + 3) * 86_400_000

function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
