import { badInput } from '../../../../formats/errors.ts'
import { parseTime } from '../../../../formats/parse-time.ts'
import type { ArtifactKind } from '../artifact.kind.ts'
import { checkStoredQuery } from '../stored-query.ts'

/** It lasts as long as something that it matches is open. */
const UNTIL_RESOLVED = 'RESOLVED'

const CLOCK = {
  type: 'string',
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'a time of day such as 22:00',
}

/** A query whose events notify no one for a time. */
export const SILENCE: ArtifactKind = {
  name: 'silence',
  typeName: 'Silence',
  idSpace: 'silence',
  references: {},
  isForwarded: true,
  properties: {
    query: { type: 'string', maxLength: 4_000 },
    from: { type: 'string', maxLength: 100 },
    until: { type: 'string', maxLength: 100 },
    weekly: {
      type: 'object',
      additionalProperties: false,
      required: ['days', 'from', 'to', 'timeZone'],
      properties: {
        days: {
          type: 'array',
          minItems: 1,
          uniqueItems: true,
          items: { type: 'string', enum: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] },
        },
        from: CLOCK,
        to: CLOCK,
        timeZone: { type: 'string', maxLength: 100 },
      },
    },
    reason: { type: 'string', maxLength: 1_000 },
    notifyAtEnd: { type: 'boolean', default: true },
  },
  required: ['query', 'reason'],
  check({ query, from, until, weekly }) {
    checkStoredQuery(query)
    const isUntilResolved = until === UNTIL_RESOLVED
    const begin = timeOf('from', from)
    const end = isUntilResolved ? undefined : timeOf('until', until)
    if (!weekly && !end && !isUntilResolved)
      throw badInput(
        'until: expected a time such as 2027-01-31T18:00:00Z or RESOLVED, or weekly instead',
      )
    if (begin && end && end <= begin) throw badInput('until: expected a time behind from')
    if (!weekly) return
    const { timeZone, from: opens, to: closes } = weekly as Record<string, string> // as the schema has it
    if (opens === closes) throw badInput('weekly.to: expected another time than weekly.from')
    try {
      new Intl.DateTimeFormat('en', { timeZone })
    } catch {
      throw badInput('weekly.timeZone: expected a name such as Europe/Berlin')
    }
  },
}

function timeOf(attribute: string, value: unknown): Date | undefined {
  if (value === undefined) return undefined
  const time = parseTime(value)
  if (time) return time
  throw badInput(`${attribute}: expected a time such as 2027-01-31T18:00:00Z`)
}
