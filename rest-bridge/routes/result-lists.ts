import { simpleResult } from '../../schema/simple-result.ts'
import { inPath, type Parameter } from '../documents/description.ts'
import { listOf, ref } from '../documents/json-schema.ts'
import { offsetOf, parsePage, parseSort } from '../list-parameters.ts'
import { linkHeader, pageLinks } from '../page-links.ts'
import { parseResultFilter } from '../result-filter.ts'
import { type RestRequest, type Route, route } from '../route.ts'
import { PAGED, RESULT_FILTER, RESULT_SORT } from './list-descriptions.ts'
import { type ResultData, SIMPLE_RESULT } from './result-shape.ts'

/** Whose results are listed. */
interface Owner {
  path: '' | `/${string}`
  type: 'TEST' | 'SUITE' | null
  of: string
  parameters: readonly Parameter[]
}

const OWNERS: readonly Owner[] = [
  { path: '', type: null, of: 'all executions', parameters: [] },
  {
    path: '/testcase/:id',
    type: 'TEST',
    of: 'a scenario',
    parameters: [inPath('id', 'Id of the scenario', 'loan-schedule')],
  },
  {
    path: '/suite/:id',
    type: 'SUITE',
    of: 'a suite',
    parameters: [inPath('id', 'Id of the suite', 'finance')],
  },
]

/** The owner's part of a filter counts more than what a client says about the same. */
const filterOf = (request: RestRequest, { type }: Owner) => ({
  ...parseResultFilter(request),
  ...(type !== null && { type, contextId: request.params.id }),
})

const count = (owner: Owner): Route =>
  route<{ list: { totalCount: number } }>({
    method: 'get',
    path: `${owner.path}/result/count`,
    summary: `Count results of ${owner.of}; paging and sort are ignored`,
    area: 'Results',
    parameters: [...owner.parameters, RESULT_FILTER, ...PAGED, RESULT_SORT],
    strictQuery: true,
    operation: `query CountResults($filter: ExecutionResultFilter) {
      list: executionResults(filter: $filter) { totalCount } }`,
    variables: (request) => ({ filter: filterOf(request, owner) }),
    respond: ({ list }) => ({ status: 200, body: list.totalCount }),
    errors: ['BAD_USER_INPUT', 'OVERLOADED'],
    answers: { 200: { description: 'How many match', schema: { type: 'integer' } } },
  })

const list = (owner: Owner): Route =>
  route<{ list: { nodes: ResultData[]; totalCount: number } }>({
    method: 'get',
    path: `${owner.path}/result`,
    summary: `List results of ${owner.of}, the newest first`,
    area: 'Results',
    parameters: [...owner.parameters, ...PAGED, RESULT_SORT, RESULT_FILTER],
    strictQuery: true,
    operation: `query ListResults($filter: ExecutionResultFilter, $sort: [SortInput!], $first: Int, $offset: Int) {
      list: executionResults(filter: $filter, sort: $sort, first: $first, offset: $offset) {
        nodes { ${SIMPLE_RESULT} } totalCount } }`,
    variables(request) {
      const page = parsePage(request)
      return {
        filter: filterOf(request, owner),
        sort: parseSort(request),
        first: page.pageSize,
        offset: offsetOf(page),
      }
    },
    respond: ({ list: { nodes, totalCount } }, request) => ({
      status: 200,
      body: nodes.map(simpleResult),
      headers: {
        'X-Total-Count': String(totalCount),
        ...linkHeader(pageLinks(request.path, request.repeated, parsePage(request), totalCount)),
      },
    }),
    errors: ['BAD_USER_INPUT', 'OPERATION_LIMIT_EXCEEDED', 'OVERLOADED'],
    answers: {
      200: {
        description: 'One page',
        schema: listOf(ref('ExecutionResult')),
        headers: {
          'X-Total-Count': 'How many there are on all pages',
          Link: 'The first, previous, next and last page (RFC 8288)',
        },
      },
    },
  })

/** Count stands first: `count` is no id of a result. */
export const resultLists: readonly Route[] = OWNERS.flatMap((owner) => [count(owner), list(owner)])
