import type { GraphQLSchema } from 'graphql'
import { timestamp } from '../../schema/timestamp.ts'
import { outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, listOf, ref } from '../documents/json-schema.ts'
import { type Route, route } from '../route.ts'

const SETTING = 'name tier value default isSecret isChanged meaning'
const WORKER =
  'id name version slots used started lastSeen sandbox { mode missing { wall reason } }'

interface WorkerData extends Record<string, unknown> {
  started: string
  lastSeen: string
}

export const serverSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  Server: outputSchema(graph, 'Server', 'version authMode'),
  Setting: outputSchema(graph, 'Setting', SETTING),
  Worker: outputSchema(graph, 'Worker', WORKER),
})

/** What runs here, and how it is configured. */
export const server: readonly Route[] = [
  route<{ server: object }>({
    method: 'get',
    path: '/server',
    summary: 'Read the version and how callers sign in',
    area: 'Server',
    parameters: [],
    strictQuery: true,
    operation: 'query Server { server { version authMode } }',
    variables: () => ({}),
    respond: ({ server }) => ({ status: 200, body: server }),
    errors: ['BAD_USER_INPUT'],
    answers: { 200: { description: 'The server', schema: ref('Server') } },
  }),
  route<{ server: { settings: object[]; limits: object[] } }>({
    method: 'get',
    path: '/server/settings',
    summary: 'List the settings that hold, without secrets; for administrators',
    area: 'Server',
    parameters: [],
    strictQuery: true,
    operation: `query Settings { server { settings { ${SETTING} } limits { ${SETTING} } } }`,
    variables: () => ({}),
    respond: ({ server: { settings, limits } }) => ({
      status: 200,
      body: [...settings, ...limits],
    }),
    errors: ['BAD_USER_INPUT'],
    answers: { 200: { description: 'The settings', schema: listOf(ref('Setting')) } },
  }),
  route<{ server: { workers: WorkerData[] } }>({
    method: 'get',
    path: '/server/workers',
    summary: 'List the workers that live, with their slots',
    area: 'Server',
    parameters: [],
    strictQuery: true,
    operation: `query Workers { server { workers { ${WORKER} } } }`,
    variables: () => ({}),
    respond: ({ server: { workers } }) => ({
      status: 200,
      body: workers.map((worker) => ({
        ...worker,
        started: timestamp(worker.started),
        lastSeen: timestamp(worker.lastSeen),
      })),
    }),
    errors: ['BAD_USER_INPUT', 'OVERLOADED'],
    answers: { 200: { description: 'The workers', schema: listOf(ref('Worker')) } },
  }),
]
