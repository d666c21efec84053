import { MAX_EVENT_BYTES, MAX_EVENT_DEPTH } from '../../schema/event-limits.ts'

/** The required fields, so that nothing else is wrong with it. */
const SOUND = { title: 'Not parsed', source: {}, fingerprintFields: ['@title'] }

/** Stands in for an event that is too large to be parsed, and is refused for the same reason. */
export const TOO_LARGE: object = { ...SOUND, message: 'x'.repeat(MAX_EVENT_BYTES) }

/** Stands in for an event that is nested too deep. */
export const TOO_DEEP: object = { ...SOUND, properties: nested(MAX_EVENT_DEPTH) }

function nested(levels: number): object {
  return levels === 1 ? {} : { a: nested(levels - 1) }
}
