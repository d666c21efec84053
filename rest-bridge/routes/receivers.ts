import type { GraphQLSchema } from 'graphql'
import { ok } from '../answers.ts'
import { inPath, type Parameter } from '../documents/description.ts'
import { inputSchema, outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, listOf, ref } from '../documents/json-schema.ts'
import { objectOf } from '../parameters.ts'
import { RECEIVERS } from '../receivers/index.ts'
import { STORED_SUMMARY } from '../receivers/stored.ts'
import { type Route, routesOf } from '../route.ts'
import { ingestion } from './events.ts'

const route = routesOf('Receivers')

const PREVIEW_BODY_LIMIT = 1024 * 1024

const parametersOf = (path: string): Parameter[] =>
  path.includes(':project') ? [inPath('project', 'Any number: SDKs require one', '1')] : []

const builtIn: readonly Route[] = RECEIVERS.map((receiver) =>
  route({
    method: 'post',
    path: `/v1/receivers/${receiver.path}`,
    summary: receiver.summary,
    parameters: parametersOf(receiver.path),
    receiver,
    ...(receiver.example !== undefined && {
      body: {
        schema: Array.isArray(receiver.example) ? listOf(ref('SentByTool')) : ref('SentByTool'),
        example: receiver.example,
      },
    }),
    operation: ingestion.operation,
    respond: () => ({ status: 200, body: {} }),
    ...(ingestion.failureOf && { failureOf: ingestion.failureOf }),
    answers: {
      200: {
        description:
          'What can be accepted is on disk; what never will be is counted, and an event says why',
        schema: receiver.schema ?? ref('IngestionResult'),
      },
    },
  }),
)

const PREVIEW = 'total events { event occurrenceId refused }'

export const receiverSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  ReceiverToTry: inputSchema(graph, 'PreviewReceiverInput'),
  ReceiverPreview: outputSchema(graph, 'ReceiverPreview', PREVIEW),
})

/** Events of other tools, at addresses and in words of theirs, and of receivers that are stored. */
export const receivers: readonly Route[] = [
  ...builtIn,
  route({
    method: 'post',
    path: '/v1/receivers/:name',
    summary: STORED_SUMMARY,
    parameters: [inPath('name', 'Name or id of the receiver', 'my-receiver')],
    receiver: 'STORED',
    body: { schema: ref('SentByTool'), example: { job: 'nightly', host: 'db1', state: 'failed' } },
    operation: ingestion.operation,
    respond: () => ({ status: 202, body: {} }),
    errors: ['NOT_FOUND'],
    ...(ingestion.failureOf && { failureOf: ingestion.failureOf }),
    answers: {
      202: {
        description:
          'What can be accepted is on disk; what never will be is counted, and an event says why',
        schema: ref('IngestionResult'),
      },
      200: { description: 'The same, where the receiver has a response of its own', schema: {} },
      204: { description: 'The same, where its response is empty' },
    },
  }),
  route<{ receiverPreview: object }>({
    method: 'post',
    path: '/receiver/preview',
    summary: 'Show the events that a receiver would make of a body; nothing is stored',
    bodyLimit: PREVIEW_BODY_LIMIT,
    yaml: true,
    body: {
      schema: ref('ReceiverToTry'),
      example: {
        receiver: { title: ['{{@.job}} on {{@.host}}'], status: ['@.state'] },
        body: { job: 'nightly', host: 'db1', state: 'failed' },
      },
    },
    operation: `query ReceiverPreview($input: PreviewReceiverInput!) {
      receiverPreview(input: $input) { ${PREVIEW} } }`,
    variables: ({ body }) => ({ input: objectOf(body) }),
    respond: ({ receiverPreview }) => ok(receiverPreview),
    answers: { 200: { description: 'The first 100 events', schema: ref('ReceiverPreview') } },
  }),
]
