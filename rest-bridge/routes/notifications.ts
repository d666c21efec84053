import type { GraphQLSchema } from 'graphql'
import { ok, withTimestamps } from '../answers.ts'
import { arrayAnswer, arrayPage, type Listed, PAGE, parseCursorPage } from '../cursor-pages.ts'
import { generatedId, inPath, inQuery, inWords } from '../documents/description.ts'
import { outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, listOf, ref } from '../documents/json-schema.ts'
import { badQuery, parseWord } from '../parameters.ts'
import { type Route, routesOf } from '../route.ts'
import { EVENT, type EventData, eventBody } from './event-shape.ts'

const route = routesOf('Notifications')

const ATTEMPT = 'started status error durationMs'
const NOTIFICATION = `id messageId ruleId channelId body state created nextAttemptAt
  attempts { ${ATTEMPT} }`

const PREVIEW = `total isCut
  notifications { at reason group changesTotal titles openTotal }`

const SUPPRESSED = `isActive total events { ${EVENT} }`

interface PreviewData {
  notifications: object[]
}

interface NotificationData {
  attempts: object[]
}

const withTimes = withTimestamps('created', 'nextAttemptAt')
const attemptBody = withTimestamps('started')
const notificationBody = ({ attempts, ...notification }: NotificationData) => ({
  ...withTimes(notification),
  attempts: attempts.map(attemptBody),
})

export const notificationSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  Notification: outputSchema(graph, 'Notification', NOTIFICATION),
  NotificationAttempt: outputSchema(graph, 'NotificationAttempt', ATTEMPT),
  RulePreview: outputSchema(graph, 'RulePreview', PREVIEW),
  SilencePreview: outputSchema(graph, 'SilencePreview', SUPPRESSED, {
    events: listOf(ref('Event')),
  }),
})

const STATES = ['all', 'pending', 'delivered', 'given_up', 'dead'] as const

function parseHours(text = '24'): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  throw badQuery('hours', 'a whole number from 1 to 168')
}

/** Rows of notifications, and the test of a channel. */
export const notifications: readonly Route[] = [
  route<{ notifications: Listed<NotificationData> }>({
    method: 'get',
    path: '/notification',
    summary: 'List notifications with every attempt, the newest first',
    parameters: [
      inWords('state', 'Only notifications in this state, in any case.', STATES),
      inQuery('ruleId', 'Only those of this rule.', undefined, 'nightly-failures'),
      inQuery('channelId', 'Only those of this channel.', undefined, 'team-chat'),
      ...PAGE.parameters,
    ],
    strictQuery: true,
    operation: `query Notifications($state: NotificationState, $ruleId: ID, $channelId: ID, ${PAGE.variables}) {
      notifications(state: $state, ruleId: $ruleId, channelId: $channelId, ${PAGE.arguments}) {
        nodes { ${NOTIFICATION} } ${PAGE.info} } }`,
    variables(request) {
      const { ruleId, channelId } = request.query
      const state = parseWord('state', request.query.state, STATES)
      return {
        ...{ ruleId, channelId },
        state: state === 'all' ? null : state.toUpperCase(),
        ...parseCursorPage(request),
      }
    },
    respond: (data, request) => arrayAnswer(data.notifications, request, notificationBody),
    answers: { 200: arrayPage('Notification') },
  }),
  route<{ redeliverNotification: NotificationData }>({
    method: 'post',
    path: '/notification/:notificationId/redeliver',
    summary: 'Deliver a notification again, with the same `webhook-id`',
    parameters: [generatedId('notificationId', 'Id of the notification')],
    operation: `mutation RedeliverNotification($input: RedeliverNotificationInput!) {
      redeliverNotification(input: $input) { ${NOTIFICATION} } }`,
    variables: ({ params }) => ({ input: { id: params.notificationId } }),
    respond: (data) => ok(notificationBody(data.redeliverNotification)),
    errors: ['NOT_FOUND', 'CONFLICT'],
    answers: { 200: { description: 'It, PENDING', schema: ref('Notification') } },
  }),
  route<{ rulePreview: PreviewData }>({
    method: 'get',
    path: '/rule/:id/preview',
    summary: 'Show what a rule would have sent over the last hours',
    parameters: [
      inPath('id', 'Id of the rule', 'my-rule'),
      inQuery('hours', 'How many.', { type: 'integer', minimum: 1, maximum: 168, default: 24 }),
    ],
    strictQuery: true,
    operation: `query RulePreview($id: ID!, $hours: Int!) {
      rulePreview(id: $id, hours: $hours) { ${PREVIEW} } }`,
    variables: ({ params, query }) => ({
      id: params.id,
      hours: parseHours(query.hours),
    }),
    respond: ({ rulePreview }) =>
      ok({
        ...rulePreview,
        notifications: rulePreview.notifications.map(withTimestamps('at')),
      }),
    errors: ['NOT_FOUND'],
    answers: {
      200: { description: 'The notifications', schema: ref('RulePreview') },
    },
  }),
  route<{ silencePreview: { events: EventData[] } }>({
    method: 'get',
    path: '/silence/:id/preview',
    summary: 'Show the open events that a silence matches now',
    parameters: [inPath('id', 'Id of the silence', 'my-silence')],
    operation: `query SilencePreview($id: ID!) { silencePreview(id: $id) { ${SUPPRESSED} } }`,
    variables: ({ params }) => ({ id: params.id }),
    respond: ({ silencePreview }) =>
      ok({ ...silencePreview, events: silencePreview.events.map(eventBody) }),
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'The events', schema: ref('SilencePreview') } },
  }),
  route<{ testChannel: object }>({
    method: 'post',
    path: '/channel/:id/test',
    summary: 'Send a test over a channel, once',
    parameters: [inPath('id', 'Id of the channel', 'my-channel')],
    operation: `mutation TestChannel($input: TestChannelInput!) {
      testChannel(input: $input) { ${ATTEMPT} } }`,
    variables: ({ params }) => ({ input: { id: params.id } }),
    respond: (data) => ok(attemptBody(data.testChannel)),
    errors: ['NOT_FOUND', 'CONFLICT'],
    answers: {
      200: { description: 'The answer of the other side', schema: ref('NotificationAttempt') },
    },
  }),
]
