import { badInput } from '../formats/errors.ts'

/** Values of a notification by their names in templates. */
export type TemplateValues = Readonly<Record<string, string | number | null>>

/** Fields of the event of the first change that a notification has. */
const EVENT_NAMES = ['title', 'message', 'severity', 'status', 'source.ref', 'source.name'] as const

/** Names for the text of a rule; those of `groupBy` stand behind `group.`. */
export const TEXT_NAMES = [
  ...['rule.id', 'rule.name', 'reason', 'changesTotal', 'openTotal'],
  ...EVENT_NAMES.map((name) => `event.${name}`),
] as const

/** Names for the body of a channel: also what the other kinds of channels show. */
export const BODY_NAMES = [
  ...[...TEXT_NAMES, 'event.url'],
  ...['title', 'text', 'rule.text', 'created'],
] as const

const GROUP = 'group.'
const PLACEHOLDER = /\{\{(.*?)\}\}/gs
/** Characters of a filled text: receivers refuse what is much longer. */
const MAX_TEXT = 20_000

const namesIn = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim())

/** @throws AppError BAD_USER_INPUT that names the attribute, the place and what is known */
export function checkTemplate(place: string, text: string, known: readonly string[]): void {
  for (const name of namesIn(text))
    if (!known.includes(name) && !(name.startsWith(GROUP) && name.length > GROUP.length))
      throw badInput(
        `${place}: {{${name.slice(0, 100)}}} is unknown; expected ${known.join(', ')}, or group. with a field of groupBy`,
      )
}

/** Does the same for a body in JSON. */
export function checkBodyTemplate(attribute: string, text: string): void {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw badInput(
      `${attribute}: it is no JSON (${why}); placeholders such as {{title}} stand within its strings`,
      { cause },
    )
  }
  mapStrings(body, attribute, (value, place) => {
    checkTemplate(place, value, BODY_NAMES)
    return value
  })
}

/** Unknown names, as of groups that have other fields by now, are empty. */
export const filledText = (text: string, values: TemplateValues): string =>
  cut(text.replaceAll(PLACEHOLDER, (_, name: string) => String(values[name.trim()] ?? '')))

/** Values become parts of strings of the JSON, so that they can be no syntax. A string that is one number becomes it. */
export const filledBody = (text: string, values: TemplateValues): string =>
  JSON.stringify(
    mapStrings(JSON.parse(text), '', (value) => {
      const [name] = /^\{\{[^}]*\}\}$/.test(value) ? namesIn(value) : []
      const whole = name === undefined ? null : values[name]
      return typeof whole === 'number' ? whole : filledText(value, values)
    }),
  )

function mapStrings(
  value: unknown,
  place: string,
  map: (text: string, place: string) => unknown,
): unknown {
  if (typeof value === 'string') return map(value, place)
  if (Array.isArray(value)) return value.map((each, at) => mapStrings(each, `${place}/${at}`, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, mapStrings(each, `${place}/${key}`, map)]),
  )
}

const cut = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text
