import { AppError } from '../formats/errors.ts'
import { inQuery } from './documents/description.ts'
import { parseFilter } from './numbered-lists.ts'
import { instantOf } from './parameters.ts'
import type { Address } from './route.ts'

export const RESULT_FILTER = inQuery(
  'filter',
  'JSON object, all of which must match: id, contextId, name, type, state, errorCode, message, cause, component, tag, executedBy, startedBy, environment (a text with `*` for any text, null for an absent value, or a list of them), labels (an object of such values), text (a part of the name), started and ended (objects with from and before, or null), useCodeCoverage, member (whether it belongs to the run of a suite).',
  { type: 'string' },
  '{"state":["COMPLETED","FAILED"]}',
)

/** Filters of one attribute, as variables of the graph. @throws AppError BAD_USER_INPUT */
type Reader = (value: unknown, at: string) => Conditions

interface Conditions {
  states?: string[]
  [name: string]: unknown
}

/** Filters of results, read as those of artifacts are. */
const ATTRIBUTES: Readonly<Record<string, Reader>> = {
  id: (value, at) => ({ ids: present(value, at) }),
  contextId: (value, at) => ({ contextIds: present(value, at) }),
  name: (value, at) => ({ names: present(value, at) }),
  type(value, at) {
    const [type, ...others] = words(value, at, TYPES)
    if (type === undefined) return NOTHING
    return others.length === 0 ? { type } : {}
  },
  state: (value, at) => ({ states: words(value, at, STATES) }),
  errorCode: (value, at) => ({ errorCodes: texts(value, at) }),
  message: (value, at) => ({ messages: texts(value, at) }),
  cause: (value, at) => ({ causes: present(value, at) }),
  component: (value, at) => ({ components: present(value, at) }),
  tag: (value, at) => ({ tags: present(value, at) }),
  executedBy: (value, at) => ({ executedBy: present(value, at) }),
  startedBy: (value, at) => ({ startedBy: words(value, at, ORIGINS) }),
  environment: (value, at) => ({ environments: texts(value, at) }),
  labels: (value, at) => ({
    labels: Object.entries(object(value, at)).map(([name, held]) => ({
      name,
      values: texts(held, `${at}.${name}`),
    })),
  }),
  text: (value, at) => ({ text: text(value, at) }),
  started: (value, at) =>
    value === null ? NOTHING : span(value, at, 'startedFrom', 'startedBefore'),
  ended: (value, at) =>
    value === null ? { states: ['RUNNING'] } : span(value, at, 'endedFrom', 'endedBefore'),
  useCodeCoverage: (value, at) => ({ useCodeCoverage: boolean(value, at) }),
  member: (value, at) => ({ isMember: boolean(value, at) }),
}

const TYPES = ['TEST', 'SUITE']
const STATES = ['RUNNING', 'COMPLETED', 'FAILED', 'ERROR']

/** `StartedBy` of the graph. */
export const ORIGINS = [
  'USER',
  'EDITOR',
  'FILES',
  'SCHEDULE',
  'TRIGGER',
  'AGAIN',
  'IMPORT',
  'COMPONENT',
]

/** Conditions that no execution matches. */
const NOTHING: Conditions = { states: [] }

/**
 * The parameter `filter` of a list of results as ExecutionResultFilter.
 * @param type of all results of the list; null for any
 * @throws AppError BAD_USER_INPUT that names the fault
 */
export function parseResultFilter(
  request: Address,
  type: string | null = null,
): Record<string, unknown> {
  const read = Object.entries(parseFilter(request) ?? {}).map(([name, value]) => {
    const reader = Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name] : undefined
    if (reader) return reader(value, `filter.${name}`)
    const known = Object.keys(ATTRIBUTES).join(', ')
    throw new AppError(
      'BAD_USER_INPUT',
      `filter.${name.slice(0, 100)}: no such attribute; expected ${known}`,
    )
  })
  if (type !== null)
    read.push(read.some((given) => (given.type ?? type) !== type) ? NOTHING : { type })
  const asked = read.flatMap(({ states }) => (states ? [states] : []))
  const states = STATES.filter((state) => asked.every((each) => each.includes(state)))
  return Object.assign({}, ...read, asked.length > 0 && { states })
}

function text(value: unknown, at: string): string {
  if (typeof value === 'string') return value
  throw wrong(at, 'a string')
}

function boolean(value: unknown, at: string): boolean {
  if (typeof value === 'boolean') return value
  throw wrong(at, 'a boolean')
}

/** One, or any of a list. */
const texts = (value: unknown, at: string): (string | null)[] =>
  [value].flat().map((each) => {
    if (typeof each === 'string' || each === null) return each
    throw wrong(at, 'a string or null')
  })

/** The same of an attribute that every execution has. */
const present = (value: unknown, at: string): string[] =>
  texts(value, at).filter((each) => each !== null)

/** The known words among them, in any case. */
function words(value: unknown, at: string, known: readonly string[]): string[] {
  const given = present(value, at)
  const tests = given.map(matcher)
  const isUnknown = (each: string) => !each.includes('*') && !known.some(matcher(each))
  if (given.some(isUnknown)) throw wrong(at, known.join(', '))
  return known.filter((word) => tests.some((matches) => matches(word)))
}

function matcher(text: string): (word: string) => boolean {
  const parts = text.split(/\*+/).map((part) => part.replaceAll(/\W/g, '\\$&'))
  const pattern = new RegExp(`^${parts.join('.*')}$`, 'i')
  return (word) => pattern.test(word)
}

function object(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(at, 'an object')
  return value as Record<string, unknown>
}

/** From a time on, and before another. */
function span(value: unknown, at: string, from: string, before: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object(value, at)).map(([name, held]) => {
      const time = instantOf(text(held, `${at}.${name}`))
      if (name !== 'from' && name !== 'before') throw wrong(at, 'from and before')
      if (time === undefined) throw wrong(`${at}.${name}`, 'a time in ISO 8601')
      return [name === 'from' ? from : before, time]
    }),
  )
}

const wrong = (at: string, expected: string) =>
  new AppError('BAD_USER_INPUT', `${at}: expected ${expected}`)
