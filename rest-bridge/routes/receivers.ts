import { inPath, type Parameter } from '../documents/description.ts'
import { listOf, ref } from '../documents/json-schema.ts'
import { RECEIVERS } from '../receivers/index.ts'
import { type Route, routesOf } from '../route.ts'
import { ingestion } from './events.ts'

const route = routesOf('Receivers')

const parametersOf = (path: string): Parameter[] =>
  path.includes(':project') ? [inPath('project', 'Any number: SDKs require one', '1')] : []

/** Events of other tools, at addresses and in words of theirs. */
export const receivers: readonly Route[] = RECEIVERS.map((receiver) =>
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
