import { type RawBuilder, sql } from 'kysely'
import { badInput } from '../../../../formats/errors.ts'
import type { SortRequest } from '../../artifacts/list/sort.ts'

/** Text behind `order by`. */
export type ExecutionOrder = RawBuilder<unknown>

/** Columns by which lists of executions are sorted. */
const SORTED_BY: Readonly<Record<string, string>> = {
  id: 'id',
  name: 'context_name',
  contextId: 'context_id',
  type: 'type',
  state: 'state',
  started: 'started',
  ended: 'ended',
  durationMs: '(ended - started)',
  executedBy: 'executed_by',
  environment: 'environment_id',
}

const MAX_SORTS = 16

/** Ties are ordered by id; without a sort the newest comes first. @throws AppError BAD_USER_INPUT that names the attribute */
export function orderOf(sorts: readonly SortRequest[]): ExecutionOrder {
  if (sorts.length > MAX_SORTS) throw badInput(`sort: expected at most ${MAX_SORTS} attributes`)
  const keys = sorts.map(({ attribute, direction }) => {
    if (!Object.hasOwn(SORTED_BY, attribute))
      throw badInput(
        `sort.${attribute.slice(0, 100)}: no such attribute; expected ${Object.keys(SORTED_BY).join(', ')}`,
      )
    return `${SORTED_BY[attribute]} ${direction === 'DESC' ? 'desc' : 'asc'}`
  })
  return sql.raw([...keys, sorts.length > 0 ? 'id asc' : 'id desc'].join(', '))
}
