import { inQuery, inQueryRepeated, type Parameter } from '../documents/description.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../list-parameters.ts'

/** The parameters of numbered pages. */
export const PAGED: readonly Parameter[] = [
  inQuery('pageNumber', 'From 0.', { type: 'integer', minimum: 0, default: 0 }),
  inQuery('pageSize', 'Items on a page.', {
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
  }),
]

export const RESULT_FILTER = inQuery(
  'filter',
  'JSON object, all of which must match: contextId, name, type, state, executedBy, environment (a text with `*` for any text, or a list of them), labels (an object), text (a part of the name), started and ended (objects with from and before), member (whether it belongs to the run of a suite).',
  { type: 'string' },
  '{"state":["COMPLETED","FAILED"]}',
)

export const RESULT_SORT = inQueryRepeated(
  'sort',
  'id, name, contextId, type, state, started, ended, durationMs, executedBy or environment, optionally with a comma and `asc` or `desc`. May be repeated; without it the newest result comes first.',
  'started,desc',
)
