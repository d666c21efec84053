/** Of minute, hour, day, month and day of the week. */
const BOUNDS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const
const WEEKDAY = 4

/** `*`, a value or a range, with a step or without. */
const ITEM = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/

/** Whether the job queue takes it: five fields without a value twice, and a day that one of its months has. */
export function isCron(text: string): boolean {
  const fields = text.split(' ')
  const [minutes, hours, days, months, weekdays] = fields.map(valuesOf)
  if (fields.length !== BOUNDS.length) return false
  if (!minutes || !hours || !days || !months || !weekdays) return false
  return fields[WEEKDAY] !== '*' || Math.min(...days) <= Math.max(...months.map(daysOf))
}

function valuesOf(field: string, at: number): number[] | null {
  const [least, most] = BOUNDS[at] ?? [0, 0]
  const values: number[] = []
  for (const item of field.split(',')) {
    const [matched, from, to, step] = ITEM.exec(item) ?? []
    const first = Number(from ?? least)
    const last = Number(to ?? (from && !step ? from : most))
    const every = Number(step ?? 1)
    if (matched === undefined || first < least || first > last || last > most || every < 1)
      return null
    const ofItem = new Set<number>()
    // Sunday is 0 and 7.
    for (let value = first; value <= last; value += every)
      ofItem.add(at === WEEKDAY ? value % 7 : value)
    values.push(...ofItem)
  }
  return new Set(values).size === values.length ? values : null
}

/** Days of a month of a leap year. */
const daysOf = (month: number): number => new Date(Date.UTC(2024, month, 0)).getUTCDate()
