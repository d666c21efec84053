import type { GraphQLSchema } from 'graphql'
import { inputSchema, outputSchema } from '../documents/graph-schemas.ts'
import {
  type JsonSchema,
  listOf,
  MAP,
  nullable,
  object,
  ref,
  withoutNulls,
} from '../documents/json-schema.ts'
import { EVENT_IMPORT, EVENTS_TO_IMPORT } from './event-import.ts'
import { ASSIGNMENT, EVENT_EXECUTION, EXPLANATION, HOLDING_SILENCE } from './event-parts.ts'
import { EVENT, RAW_EVENT, STATUS_CHANGE } from './event-shape.ts'
import { BUCKET, FIELD, STATISTICS, VALUE } from './event-statistics.ts'

const TEXT: JsonSchema = { type: 'string' }
export const MILLISECONDS: JsonSchema = { type: 'integer', format: 'int64' }

const SOURCE = nullable(
  object(
    {
      ref: nullable(TEXT),
      type: nullable(TEXT),
      name: nullable(TEXT),
      properties: nullable(MAP),
    },
    [],
  ),
)

const SENT_EVENT = object(
  {
    title: { ...TEXT, description: 'What happened, in a line.' },
    fingerprintFields: {
      ...nullable(listOf(TEXT)),
      description:
        'What makes occurrences one event: `@title` and the like, or keys of `properties`. Title alone if absent.',
    },
    source: { ...SOURCE, description: 'What it is about.' },
    sender: { ...SOURCE, description: 'Who reports it.' },
    message: { ...nullable(TEXT), description: 'What happened, in detail.' },
    severity: {
      ...nullable(TEXT),
      description: 'INFO (if absent), WARN, ERROR, CRITICAL, or another word.',
    },
    status: {
      ...nullable(TEXT),
      description: 'OPEN, ACKNOWLEDGED, CLOSED, OK (if absent), or another word.',
    },
    properties: { ...nullable(MAP), description: 'Free keys and values, at most 128.' },
    tags: { ...nullable(listOf(TEXT)), description: 'Free labels, at most 100.' },
    eventClass: { ...nullable(TEXT), description: 'Class of event; part of the fingerprint.' },
    createdAt: {
      type: ['string', 'number', 'null'],
      description:
        'When it happened: ISO 8601, or seconds, milliseconds or microseconds since 1970. Receipt if absent.',
    },
  },
  ['title'],
)

const INGESTION = object({
  result: object(
    {
      sent: { type: 'integer', description: 'How many events were accepted.' },
      success: {
        ...TEXT,
        enum: ['true', 'partial', 'false'],
        description: 'All, some or none were.',
      },
      accepted: listOf(
        object({
          index: { type: 'integer', description: 'Position in the request, from 0.' },
          id: { ...TEXT, description: 'The event that it was counted into.' },
        }),
      ),
      errors: listOf(
        object({
          index: { type: 'integer', description: 'Position in the request, from 0.' },
          message: { ...TEXT, description: 'Why it was refused.' },
        }),
      ),
    },
    ['sent', 'success'],
  ),
})

/** The body of `listAnswer`. */
export const listed = (items: JsonSchema): JsonSchema =>
  object({
    counts: object({ total: { type: 'integer', description: 'How many there are on all pages.' } }),
    items: listOf(items),
  })

export const eventSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  RawEvent: SENT_EVENT,
  IngestionResult: INGESTION,
  SentByTool: { ...MAP, description: 'What the tool sends, in the form of its own.' },
  Event: withoutNulls(
    outputSchema(graph, 'Event', EVENT, {
      firstSeenAt: MILLISECONDS,
      lastSeenAt: MILLISECONDS,
      lastUpdatedAt: MILLISECONDS,
      relatedSources: {
        ...listOf(MAP),
        description: 'Its source and its sender, as far as known.',
      },
    }),
  ),
  Events: listed(ref('Event')),
  StoredRawEvent: withoutNulls(
    outputSchema(graph, 'RawEvent', RAW_EVENT, {
      event: null,
      occurredAt: null,
      eventId: { ...TEXT, description: 'The event that it was counted into.' },
      fingerprintFields: { ...listOf(TEXT), description: 'The fields that form the fingerprint.' },
      createdAt: { ...MILLISECONDS, description: 'When it happened; milliseconds since 1970.' },
      receivedAt: MILLISECONDS,
    }),
  ),
  RawEvents: listed(ref('StoredRawEvent')),
  Histogram: object({
    items: listOf(
      outputSchema(graph, 'HistogramBucket', 'start occurrences', { start: MILLISECONDS }),
    ),
  }),
  EventStatistics: outputSchema(graph, 'EventStatistics', STATISTICS, {
    buckets: listOf(outputSchema(graph, 'StatisticsBucket', BUCKET, { start: MILLISECONDS })),
  }),
  EventFields: object({ items: listOf(outputSchema(graph, 'EventField', FIELD)) }),
  EventFieldValues: object({ items: listOf(outputSchema(graph, 'EventFieldValue', VALUE)) }),
  FingerprintExplanation: outputSchema(graph, 'FingerprintExplanation', EXPLANATION),
  EventAssignment: outputSchema(graph, 'Event', ASSIGNMENT),
  EventExecution: outputSchema(graph, 'ExecutionResult', EVENT_EXECUTION),
  HoldingSilences: object({
    items: listOf(outputSchema(graph, 'HoldingSilence', HOLDING_SILENCE)),
  }),
  EventsToImport: EVENTS_TO_IMPORT,
  EventImports: object({ items: listOf(outputSchema(graph, 'EventImport', EVENT_IMPORT)) }),
  StatusChange: withoutNulls(
    outputSchema(graph, 'StatusChange', STATUS_CHANGE, { at: MILLISECONDS }),
  ),
  StatusChanges: listed(ref('StatusChange')),
  NewStatus: inputSchema(graph, 'SetEventStatusInput', { id: null }),
  NewStatuses: inputSchema(graph, 'SetEventStatusesInput'),
  StatusResults: object({
    items: listOf(outputSchema(graph, 'EventStatusResult', 'id: eventId outcome')),
  }),
})

export const RAW_EVENTS: JsonSchema = {
  description: 'One event, or a list of them.',
  oneOf: [ref('RawEvent'), listOf(ref('RawEvent'))],
}
