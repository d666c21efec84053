import { AppError } from '../schema/errors.ts'
import { inQuery } from './documents/description.ts'
import { parseFilter } from './numbered-lists.ts'
import type { Address } from './route.ts'

export const RESULT_FILTER = inQuery(
  'filter',
  'JSON object, all of which must match: contextId, name, type, state, executedBy, environment (a text with `*` for any text, or a list of them), labels (an object), text (a part of the name), started and ended (objects with from and before), member (whether it belongs to the run of a suite).',
  { type: 'string' },
  '{"state":["COMPLETED","FAILED"]}',
)

/** Filters of one attribute, as variables of the graph. @throws AppError BAD_USER_INPUT */
type Reader = (value: unknown, at: string) => Record<string, unknown>

/** What results are filtered by, as lists of artifacts are. */
const ATTRIBUTES: Readonly<Record<string, Reader>> = {
  contextId: (value, at) => ({ contextIds: texts(value, at) }),
  name: (value, at) => ({ names: texts(value, at) }),
  type: (value, at) => ({ type: word(value, at, TYPES) }),
  state: (value, at) => ({ states: [value].flat().map((each) => word(each, at, STATES)) }),
  executedBy: (value, at) => ({ executedBy: texts(value, at) }),
  environment: (value, at) => ({ environments: texts(value, at) }),
  labels: (value, at) => ({
    labels: Object.entries(object(value, at)).map(([name, held]) => ({
      name,
      value: text(held, `${at}.${name}`),
    })),
  }),
  text: (value, at) => ({ text: text(value, at) }),
  started: (value, at) => span(value, at, 'startedFrom', 'startedBefore'),
  ended: (value, at) => span(value, at, 'endedFrom', 'endedBefore'),
  member(value, at) {
    if (typeof value !== 'boolean') throw wrong(at, 'a boolean')
    return { isMember: value }
  },
}

const TYPES = ['TEST', 'SUITE']
const STATES = ['RUNNING', 'COMPLETED', 'FAILED', 'ERROR']

/** The parameter `filter` of a list of results as ExecutionResultFilter. @throws AppError BAD_USER_INPUT that names the fault */
export function parseResultFilter(request: Address): Record<string, unknown> {
  const read = Object.entries(parseFilter(request) ?? {}).map(([name, value]) => {
    const reader = Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name] : undefined
    if (reader) return reader(value, `filter.${name}`)
    const known = Object.keys(ATTRIBUTES).join(', ')
    throw new AppError(
      'BAD_USER_INPUT',
      `filter.${name.slice(0, 100)}: no such attribute; expected ${known}`,
    )
  })
  return Object.assign({}, ...read)
}

function text(value: unknown, at: string): string {
  if (typeof value === 'string') return value
  throw wrong(at, 'a string')
}

const texts = (value: unknown, at: string): string[] => [value].flat().map((each) => text(each, at))

function word(value: unknown, at: string, words: readonly string[]): string {
  const found = words.find((each) => each === text(value, at).toUpperCase())
  if (found) return found
  throw wrong(at, words.join(', '))
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
      const given = text(held, `${at}.${name}`)
      const time = new Date(given.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
      if (name !== 'from' && name !== 'before') throw wrong(at, 'from and before')
      if (Number.isNaN(time.getTime())) throw wrong(`${at}.${name}`, 'a time in ISO 8601')
      return [name === 'from' ? from : before, time.toISOString()]
    }),
  )
}

const wrong = (at: string, expected: string) =>
  new AppError('BAD_USER_INPUT', `${at}: expected ${expected}`)
