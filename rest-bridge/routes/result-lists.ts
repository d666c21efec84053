import { simpleResult } from '../../formats/simple-result.ts'
import { ok } from '../answers.ts'
import { inQueryRepeated } from '../documents/description.ts'
import {
  type Numbered,
  numberedAnswer,
  numberedPage,
  PAGED,
  pageVariables,
  parseSort,
} from '../numbered-lists.ts'
import { parseResultFilter, RESULT_FILTER } from '../result-filter.ts'
import { type RestRequest, type Route, routesOf } from '../route.ts'
import { anyParent, NAMED_PARENTS, type ResultParent } from './result-parents.ts'
import { type ResultData, SIMPLE_RESULT } from './result-shape.ts'

const route = routesOf('Results')

const RESULT_SORT = inQueryRepeated(
  'sort',
  'id, name, contextId, type, state, started, ended, durationMs, executedBy or environment, optionally with a comma and `asc` or `desc`. May be repeated; without it the newest result comes first.',
  'started,desc',
)

const PARENTS = [anyParent('all executions'), ...NAMED_PARENTS]

const filterOf = (request: RestRequest, { type }: ResultParent) => ({
  ...parseResultFilter(request, type),
  ...(type !== null && { contextId: request.params.id }),
})

const count = (parent: ResultParent): Route =>
  route<{ list: { totalCount: number } }>({
    method: 'get',
    path: `${parent.path}/result/count`,
    summary: `Count results of ${parent.of}; paging and sort are ignored`,
    parameters: [...parent.parameters, RESULT_FILTER, ...PAGED, RESULT_SORT],
    strictQuery: true,
    operation: `query CountResults($filter: ExecutionResultFilter) {
      list: executionResults(filter: $filter) { totalCount } }`,
    variables: (request) => ({ filter: filterOf(request, parent) }),
    respond: ({ list }) => ok(list.totalCount),
    answers: { 200: { description: 'How many match', schema: { type: 'integer' } } },
  })

const list = (parent: ResultParent): Route =>
  route<{ list: Numbered<ResultData> }>({
    method: 'get',
    path: `${parent.path}/result`,
    summary: `List results of ${parent.of}, the newest first`,
    parameters: [...parent.parameters, ...PAGED, RESULT_SORT, RESULT_FILTER],
    strictQuery: true,
    operation: `query ListResults($filter: ExecutionResultFilter, $sort: [SortInput!], $first: Int, $offset: Int) {
      list: executionResults(filter: $filter, sort: $sort, first: $first, offset: $offset) {
        nodes { ${SIMPLE_RESULT} } totalCount } }`,
    variables: (request) => ({
      ...pageVariables(request),
      filter: filterOf(request, parent),
      sort: parseSort(request),
    }),
    respond: ({ list }, request) => numberedAnswer(list, request, simpleResult),
    errors: ['OPERATION_LIMIT_EXCEEDED'],
    answers: { 200: numberedPage('ExecutionResult') },
  })

/** Count stands first: `count` is no id of a result. */
export const resultLists: readonly Route[] = PARENTS.flatMap((parent) => [
  count(parent),
  list(parent),
])
