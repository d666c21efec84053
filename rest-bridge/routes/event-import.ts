import { AppError } from '../../formats/errors.ts'
import { ok } from '../answers.ts'
import { type JsonSchema, listOf, MAP, ref } from '../documents/json-schema.ts'
import { objectOf } from '../parameters.ts'
import { type Route, routesOf } from '../route.ts'

const route = routesOf('Events')

/** GraphQL fields of what became of an imported event. */
export const EVENT_IMPORT = 'index eventId outcome message'

/** A page of events. */
export const EVENTS_TO_IMPORT: JsonSchema = {
  type: 'object',
  required: ['items'],
  properties: {
    items: {
      ...listOf(MAP),
      description: 'As `GET /v1/events` shows them, at most IMPORT_EVENTS (1000).',
    },
    counts: { ...MAP, description: 'Ignored, so that a page can be sent as it was read.' },
  },
}

/** Pages have `items` where the graph has `events`. */
const inWordsOfThePage = (failure: AppError): AppError =>
  failure.code === 'BAD_USER_INPUT'
    ? new AppError(failure.code, failure.message.replace(/^events\b/, 'items'), { cause: failure })
    : failure

export const eventImport: readonly Route[] = [
  route<{ importEvents: object[] }>({
    method: 'post',
    path: '/v1/events/import',
    summary: 'Store events of another product with their ids, times, counts and statuses',
    bodyLimit: 'IMPORT_BODY_BYTES',
    exactNumbers: true,
    body: {
      schema: ref('EventsToImport'),
      example: {
        items: [
          {
            id: 'before-4711',
            title: 'An event of another product',
            severity: 'WARN',
            status: 'CLOSED',
            source: { ref: 'db1', type: 'host' },
            firstSeenAt: 1769847300000,
            lastSeenAt: 1769933700000,
            timesSeen: 42,
          },
        ],
      },
    },
    operation: `mutation ImportEvents($input: ImportEventsInput!) {
      importEvents(input: $input) { ${EVENT_IMPORT} } }`,
    variables: ({ body }) => ({ input: { events: objectOf(body).items } }),
    respond: ({ importEvents: items }) => ok({ items }),
    failureOf: inWordsOfThePage,
    answers: { 200: { description: 'A result for each', schema: ref('EventImports') } },
  }),
]
