import type { GraphQLSchema } from 'graphql'
import { NO_CONTENT, ok, withTimestamps } from '../answers.ts'
import { outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, listOf, ref } from '../documents/json-schema.ts'
import { type Route, routesOf } from '../route.ts'

const route = routesOf('Server')

const SETTING = 'name tier value default isSecret isChanged meaning'
const WORKER =
  'id name version slots used started lastSeen sandbox { mode missing { wall reason } }'

const REASON: JsonSchema = {
  type: 'object',
  properties: { paused: { type: ['string', 'null'] } },
}

export const serverSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  Server: outputSchema(graph, 'Server', 'version authMode'),
  Setting: outputSchema(graph, 'Setting', SETTING),
  Worker: outputSchema(graph, 'Worker', WORKER),
})

/** Rows on the running product and its configuration. */
export const server: readonly Route[] = [
  route<{ server: object }>({
    method: 'get',
    path: '/server',
    summary: 'Read the version and how callers sign in',
    strictQuery: true,
    operation: 'query Server { server { version authMode } }',
    respond: ({ server }) => ok(server),
    answers: { 200: { description: 'The server', schema: ref('Server') } },
  }),
  route<{ server: { settings: object[]; limits: object[] } }>({
    method: 'get',
    path: '/server/settings',
    summary: 'List the settings that hold, without secrets; for administrators',
    strictQuery: true,
    operation: `query Settings { server { settings { ${SETTING} } limits { ${SETTING} } } }`,
    respond: ({ server: { settings, limits } }) => ok([...settings, ...limits]),
    answers: { 200: { description: 'The settings', schema: listOf(ref('Setting')) } },
  }),
  route<{ server: { workers: object[] } }>({
    method: 'get',
    path: '/server/workers',
    summary: 'List the workers that live, with their slots',
    strictQuery: true,
    operation: `query Workers { server { workers { ${WORKER} } } }`,
    respond: ({ server: { workers } }) => ok(workers.map(withTimestamps('started', 'lastSeen'))),
    answers: { 200: { description: 'The workers', schema: listOf(ref('Worker')) } },
  }),
  route<{ schedulesPaused: string | null }>({
    method: 'get',
    path: '/server/schedules',
    summary: 'Read why no schedule runs; null while they run',
    strictQuery: true,
    operation: 'query SchedulesPaused { schedulesPaused }',
    respond: ({ schedulesPaused }) => ok({ paused: schedulesPaused }),
    answers: { 200: { description: 'The reason', schema: REASON } },
  }),
  route<{ notificationsPaused: string | null }>({
    method: 'get',
    path: '/server/notifications',
    summary: 'Read why no notification is sent; null while they are',
    strictQuery: true,
    operation: 'query NotificationsPaused { notificationsPaused }',
    respond: ({ notificationsPaused }) => ok({ paused: notificationsPaused }),
    answers: { 200: { description: 'The reason', schema: REASON } },
  }),
  route<{ resumeSchedules: boolean }>({
    method: 'post',
    path: '/server/schedules/resume',
    summary: 'Let schedules run in a restored store; for administrators',
    operation: 'mutation ResumeSchedules { resumeSchedules }',
    respond: () => NO_CONTENT,
    answers: { 204: { description: 'They run, unless SCHEDULES is paused' } },
  }),
]
