import type { FetchNode } from '@apollo/query-planner'
import { buildSchema, type ExecutionResult, type GraphQLError } from 'graphql'
import type { Json } from '../../../gateway/federation/executor/own.ts'
import { Changes } from '../../../gateway/federation/executor/shared-runs.ts'
import { compilePlan } from '../../../gateway/federation/executor/stages.ts'
import {
  bodyOf,
  type PlannedRequest,
  type SubgraphLink,
} from '../../../gateway/federation/links/link.ts'
import { openCaller } from '../../../platform/access/caller.ts'
import { createLogger } from '../../../platform/process/logger.ts'

const schema = buildSchema('type P { id: ID } type Query { p: P }')

export const entityFetch = {
  kind: 'Fetch',
  serviceName: 'shop',
  operation:
    'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on P { name } } }',
  operationKind: 'query',
  requires: [
    {
      kind: 'InlineFragment',
      typeCondition: 'P',
      selections: [
        { kind: 'Field', name: '__typename' },
        { kind: 'Field', name: 'id' },
      ],
    },
  ],
} as unknown as FetchNode
export const rootFetch = {
  kind: 'Fetch',
  serviceName: 'shop',
  operation: '{ p { id } }',
  operationKind: 'query',
  variableUsages: ['used', 'constructor'],
} as unknown as FetchNode

export const product = (id: unknown) => ({ __typename: 'P', id })

/** Runs one fetch. @returns its requests, and the data and errors gathered */
export async function runFetch(
  node: FetchNode,
  path: string[],
  data: Json,
  answer: () => Partial<ExecutionResult>,
) {
  const requests: PlannedRequest[] = []
  const link: SubgraphLink = {
    name: 'shop',
    async execute(request) {
      const { kind, document, variables } = request
      requests.push(structuredClone({ kind, document, variables, body: bodyOf(request) }))
      return answer()
    },
    subscribe: () => Promise.reject(new Error('No subscription is expected')),
    async stop() {},
  }
  const errors: GraphQLError[] = []
  const changes = new Changes()
  await compilePlan({ kind: 'Flatten', path, node })({
    schema,
    data,
    errors,
    room: Number.POSITIVE_INFINITY,
    lost: [],
    text: '',
    variables: { used: 1, unused: 'http://hook.example/used' },
    link: () => link,
    changes,
    log: createLogger('silent'),
    context: { caller: openCaller('r') },
    characters: 0,
  })
  return {
    requests,
    data,
    changes: changes.count,
    errors: errors.map(({ message, path: place, extensions }) => ({
      message,
      path: place?.join('.'),
      ...extensions,
    })),
  }
}

export const entities =
  (...found: unknown[]) =>
  () => ({ data: { _entities: found } as Json })
