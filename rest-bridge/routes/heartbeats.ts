import type { GraphQLSchema } from 'graphql'
import { NO_CONTENT, ok, withMilliseconds } from '../answers.ts'
import { type Listed, listAnswer, PAGE, parseCursorPage } from '../cursor-pages.ts'
import { inPath, inQuery } from '../documents/description.ts'
import { outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, ref } from '../documents/json-schema.ts'
import { type Route, routesOf } from '../route.ts'
import { listed, MILLISECONDS } from './event-schemas.ts'

const route = routesOf('Heartbeats')

const HEARTBEAT = 'name every state seenAt dueAt since'

const NAME = inPath('name', 'Name of the heartbeat', 'nightly-backup')

const heartbeatBody = withMilliseconds('seenAt', 'dueAt', 'since')

export const heartbeatSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  Heartbeat: outputSchema(graph, 'Heartbeat', HEARTBEAT, {
    ...{ seenAt: MILLISECONDS, since: MILLISECONDS },
    dueAt: { ...MILLISECONDS, type: ['integer', 'null'] },
  }),
  Heartbeats: listed(ref('Heartbeat')),
})

const nameOf = ({ params }: { params: Readonly<Record<string, string>> }) => ({
  input: { name: params.name },
})

/** Signs of life, and what is watched. */
export const heartbeats: readonly Route[] = [
  route<{ recordHeartbeat: object }>({
    method: 'post',
    path: '/v1/heartbeats/:name',
    summary: 'Send a heartbeat: a missing one opens an event, and its return closes it',
    parameters: [
      NAME,
      inQuery(
        'every',
        'Time within which the next one follows, `10s` to `30d`; a tenth of it is granted besides. Only the first heartbeat needs it.',
        undefined,
        '5m',
      ),
    ],
    strictQuery: true,
    operation: `mutation RecordHeartbeat($input: RecordHeartbeatInput!) {
      recordHeartbeat(input: $input) { ${HEARTBEAT} } }`,
    variables: ({ params, query }) => ({ input: { name: params.name, every: query.every } }),
    respond: (data) => ({ status: 202, body: heartbeatBody(data.recordHeartbeat) }),
    errors: ['CONFLICT'],
    answers: { 202: { description: 'It is on disk', schema: ref('Heartbeat') } },
  }),
  route<{ heartbeats: Listed<object> }>({
    method: 'get',
    path: '/v1/heartbeats',
    summary: 'List heartbeats by name',
    parameters: PAGE.parameters,
    strictQuery: true,
    operation: `query Heartbeats(${PAGE.variables}) {
      heartbeats(${PAGE.arguments}) { nodes { ${HEARTBEAT} } ${PAGE.info} } }`,
    variables: parseCursorPage,
    respond: (data, request) => listAnswer(data.heartbeats, request, heartbeatBody),
    answers: {
      200: {
        description: 'One page, and how many there are on all pages',
        schema: ref('Heartbeats'),
        headers: { Link: 'The first, previous and next page (RFC 8288)' },
      },
    },
  }),
  route<{ pauseHeartbeat: object }>({
    method: 'post',
    path: '/v1/heartbeats/:name/pause',
    summary: 'Stop watching a heartbeat, and close its event',
    parameters: [NAME],
    operation: `mutation PauseHeartbeat($input: HeartbeatInput!) {
      pauseHeartbeat(input: $input) { ${HEARTBEAT} } }`,
    variables: nameOf,
    respond: (data) => ok(heartbeatBody(data.pauseHeartbeat)),
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'It, PAUSED', schema: ref('Heartbeat') } },
  }),
  route<{ resumeHeartbeat: object }>({
    method: 'post',
    path: '/v1/heartbeats/:name/resume',
    summary: 'Watch a paused heartbeat again',
    parameters: [NAME],
    operation: `mutation ResumeHeartbeat($input: HeartbeatInput!) {
      resumeHeartbeat(input: $input) { ${HEARTBEAT} } }`,
    variables: nameOf,
    respond: (data) => ok(heartbeatBody(data.resumeHeartbeat)),
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'It, as it is watched', schema: ref('Heartbeat') } },
  }),
  route({
    method: 'delete',
    path: '/v1/heartbeats/:name',
    summary: 'Delete a heartbeat, and close its event',
    parameters: [NAME],
    operation: `mutation DeleteHeartbeat($input: HeartbeatInput!) {
      deleteHeartbeat(input: $input) { name } }`,
    variables: nameOf,
    respond: () => NO_CONTENT,
    errors: ['NOT_FOUND'],
    answers: { 204: { description: 'It is deleted' } },
  }),
]
