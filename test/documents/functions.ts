import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { routes } from '../../rest-bridge/index.ts'
import type { Route } from '../../rest-bridge/route.ts'

/** Functions of the graph for clients, and the REST rows that do the same. */
export interface GraphFunction {
  /** Such as `Mutation.execute`. */
  name: string
  rows: readonly string[]
  /** Why there is no row. */
  reason?: string
}

const STREAM = (rows: string) => `a stream; REST clients read ${rows}`

const OF_A_STREAM = 'names a place in a stream, and REST has no streams'

const BY_NODE_ID = 'for stores of GraphQL clients; REST clients read each object at its address'

/** Fields without a REST row. Anything else that clients of the graph can do has one. */
export const WITHOUT_A_ROW: Readonly<Record<string, string>> = {
  'Query.eventCursor': OF_A_STREAM,
  'Query.executionStateCursor': OF_A_STREAM,
  'Query.node': BY_NODE_ID,
  'Query.nodes': BY_NODE_ID,
  'Subscription.eventChanged': STREAM('`GET /v1/events` and `GET /v1/events/{id}/history`'),
  'Subscription.eventReceived': STREAM('`GET /v1/events/raw`'),
  'Subscription.executionStateChanged': STREAM('`GET /result`, or use a callback'),
  'Subscription.executionUpdated': STREAM('`GET /result/{resultId}`, or use a callback'),
}

const SDL = new URL('../../schema/supergraph.graphql', import.meta.url)

/** Every field of Query, Mutation and Subscription that clients can reach. */
function rootFields(): string[] {
  const schema = buildSchema(readFileSync(SDL, 'utf8'), { assumeValid: true })
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  return roots.flatMap((root) =>
    root ? readable(root).map(({ name }) => `${root.name}.${name}`) : [],
  )
}

const readable = (type: GraphQLObjectType) =>
  Object.values(type.getFields()).filter(
    ({ astNode }) => !astNode?.directives?.some(({ name }) => name.value === 'inaccessible'),
  )

/** The root fields that the operation of a row asks for. */
const fieldsOf = ({ operation }: Route): string[] =>
  parse(operation).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? definition.selectionSet.selections.flatMap((field) =>
          field.kind === Kind.FIELD
            ? [`${definition.operation === 'mutation' ? 'Mutation' : 'Query'}.${field.name.value}`]
            : [],
        )
      : [],
  )

/** Lists over REST have numbered pages, or cursors in `Link`. */
const OF_CURSOR_PAGES = /\.(after|before|last)$/

/** Arguments of root fields that no REST row of that field passes on. */
export function argumentsWithoutARow(): string[] {
  const passed = new Set(routes.flatMap(argumentsOf))
  const schema = buildSchema(readFileSync(SDL, 'utf8'), { assumeValid: true })
  const roots = [schema.getQueryType(), schema.getMutationType()]
  return roots.flatMap((root) =>
    root
      ? readable(root)
          .map((field) => ({ name: `${root.name}.${field.name}`, args: field.args }))
          .filter(({ name }) => !WITHOUT_A_ROW[name])
          .flatMap(({ name, args }) => args.map((arg) => `${name}.${arg.name}`))
          .filter((name) => !passed.has(name) && !OF_CURSOR_PAGES.test(name))
      : [],
  )
}

const argumentsOf = ({ operation }: Route): string[] =>
  parse(operation).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? definition.selectionSet.selections.flatMap((field) =>
          field.kind === Kind.FIELD
            ? (field.arguments ?? []).map(
                ({ name }) =>
                  `${definition.operation === 'mutation' ? 'Mutation' : 'Query'}.${field.name.value}.${name.value}`,
              )
            : [],
        )
      : [],
  )

/** The table that compares the graph with REST. */
export function graphFunctions(): GraphFunction[] {
  const rows = routes.map((route) => ({
    row: `${route.method.toUpperCase()} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`,
    fields: fieldsOf(route),
  }))
  return rootFields().map((name) => ({
    name,
    rows: rows.filter(({ fields }) => fields.includes(name)).map(({ row }) => row),
    ...(WITHOUT_A_ROW[name] && { reason: WITHOUT_A_ROW[name] }),
  }))
}

/** Fields below the roots that no row reads, with what stands for them in REST. */
export const OTHERWISE_OVER_REST: Readonly<Record<string, string>> = {
  'AcceptedEvent.eventId': '`id` of an accepted event, which has the same value',
  'AttachmentContent.id': '`GET /result/{resultId}/attachments`',
  'AttachmentContent.sha256': '`GET /result/{resultId}/attachments`',
  'AttachmentContent.size': '`GET /result/{resultId}/attachments`',
  'Channel.updatedBy': '`user` of `GET /audit` for its latest change',
  'Component.testCases': '`GET /testcase?filter={"componentUnderTest":"<id>"}`',
  'Component.updatedBy': '`user` of `GET /audit` for its latest change',
  'Environment.updatedBy': '`user` of `GET /audit` for its latest change',
  'Event.executionContext': '`contextId` and `type` of `GET /v1/events/{id}/execution`',
  'EventStatusResult.event': '`GET /v1/events/{id}`',
  'ExecutedRevision.name': '`name` of `GET /{kind}/{id}`, with its `kind` and `id`',
  'ExecutionResult.context': '`GET /testcase/{contextId}` or `GET /suite/{contextId}`',
  'FailureCause.id': '`id` of a cause, which names it in every list',
  'RawEvent.execution': '`properties.executionId` of an occurrence that an execution caused',
  'RawEvent.isNew': 'the last of `GET /v1/events/{id}/raw`, as the newest come first',
  'Receiver.updatedBy': '`user` of `GET /audit` for its latest change',
  'Rule.updatedBy': '`user` of `GET /audit` for its latest change',
  'Schedule.updatedBy': '`user` of `GET /audit` for its latest change',
  'Server.sandbox': '`sandbox` of `GET /server/workers`',
  'Session.expires': 'an hour after `POST /authenticate`',
  'Silence.updatedBy': '`user` of `GET /audit` for its latest change',
  'Suite.events': '`GET /v1/events?q=source.ref:"<id>"`',
  'Suite.results': '`GET /suite/{id}/result`',
  'Suite.updatedBy': '`user` of `GET /audit` for its latest change',
  'TestCase.events': '`GET /v1/events?q=source.ref:"<id>"`',
  'TestCase.results': '`GET /testcase/{id}/result`',
  'TestCase.scenarioText': '`scenario` of `GET /testcase/{id}`, without comments',
  'TestCase.suites': '`GET /suite?filter={"testCases":"<id>"}`',
  'TestCase.updatedBy': '`user` of `GET /audit` for its latest change',
  'Trigger.updatedBy': '`user` of `GET /audit` for its latest change',
  'Viewer.subject': '`GET /session`, beside the addresses of the interface',
}

/** Fields that streams carry: see WITHOUT_A_ROW. */
const STREAMED = /^(EventChange|EventOccurrence|ExecutionUpdate)\./
const FOR_CACHES =
  /\.nodeId$|^(AcceptedEvent|ArtifactChange|EventStatusResult|ExecutedRevision|StepResult)\.id$/
/** They page. */
const PAGED = /(Connection|Edge|^PageInfo)$/

/** Each `Type.field` that a row selects. */
function selectedFields(schema: GraphQLSchema): Set<string> {
  const types = new TypeInfo(schema)
  const fields = new Set<string>()
  for (const { operation } of routes)
    visit(
      parse(operation),
      visitWithTypeInfo(types, {
        Field({ name }) {
          fields.add(`${types.getParentType()}.${name.value}`)
        },
      }),
    )
  return fields
}

/** Fields below the roots that clients of the graph can read and that no row reads. */
export function fieldsWithoutARow(): string[] {
  const schema = buildSchema(readFileSync(SDL, 'utf8'), { assumeValid: true })
  const selected = selectedFields(schema)
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !type.name.startsWith('__'))
    .filter((type) => !PAGED.test(type.name) && !roots.some((root) => root === type))
    .flatMap((type) => readable(type).map(({ name }) => `${type.name}.${name}`))
    .filter((field) => !STREAMED.test(field) && !FOR_CACHES.test(field) && !selected.has(field))
    .sort()
}
