import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  buildSchema,
  type GraphQLSchema,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { routes } from '../../rest-bridge/index.ts'
import type { Route } from '../../rest-bridge/route.ts'

/** What clients of the graph can do, and the REST rows that do the same. */
export interface GraphFunction {
  /** Such as `Mutation.execute`. */
  name: string
  rows: readonly string[]
  /** Why there is no row. */
  reason?: string
}

const STREAM = (rows: string) => `a stream; REST clients read ${rows}`

const BY_NODE_ID = 'for stores of GraphQL clients; REST clients read each object at its address'

/** Fields without a REST row. Anything else that clients of the graph can do has one. */
export const WITHOUT_A_ROW: Readonly<Record<string, string>> = {
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
    Object.values(root?.getFields() ?? {})
      .filter(
        ({ astNode }) => !astNode?.directives?.some(({ name }) => name.value === 'inaccessible'),
      )
      .map(({ name }) => `${root?.name}.${name}`),
  )
}

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

const WEB = new URL('../../web/src/', import.meta.url)

/** Fields below the roots that the web client reads and no row does, with what stands for them in REST. */
export const OTHERWISE_OVER_REST: Readonly<Record<string, string>> = {
  'Component.testCases': '`GET /testcase?filter={"componentUnderTest":"<id>"}`',
  'Event.executionContext': '`contextId` and `type` of `GET /v1/events/{id}/execution`',
  'EventChange.cursor': STREAM('`GET /v1/events`'),
  'EventChange.event': STREAM('`GET /v1/events`'),
  'EventStatusResult.event': '`GET /v1/events/{id}`',
  'ExecutionUpdate.cursor': STREAM('`GET /result/{resultId}`'),
  'ExecutionUpdate.execution': STREAM('`GET /result/{resultId}`'),
  'ExecutionUpdate.kind': STREAM('`GET /result/{resultId}`'),
  'ExecutionUpdate.log': STREAM('`GET /result/{resultId}/log`'),
  'ExecutionUpdate.step': STREAM('`GET /result/{resultId}/steps`'),
  'RawEvent.execution': '`properties.executionId` of an occurrence that an execution caused',
  'Suite.results': '`GET /suite/{id}/result`',
  'TestCase.results': '`GET /testcase/{id}/result`',
  'TestCase.suites': '`GET /suite?filter={"testCases":"<id>"}`',
}

/** Each `Type.field` that documents select, apart from those that only page. */
function selectedFields(documents: readonly string[], schema: GraphQLSchema): Set<string> {
  const types = new TypeInfo(schema)
  const fields = new Set<string>()
  for (const text of documents)
    visit(
      parse(text),
      visitWithTypeInfo(types, {
        Field({ name }) {
          const parent = String(types.getParentType())
          const isPaging = /Connection$|^PageInfo$|^(Query|Mutation|Subscription)$/.test(parent)
          if (!isPaging && !name.value.startsWith('__')) fields.add(`${parent}.${name.value}`)
        },
      }),
    )
  return fields
}

/** Fields below the roots that the web client reads and that no row reads. */
export function fieldsOfWebAlone(): string[] {
  const schema = buildSchema(readFileSync(SDL, 'utf8'), { assumeValid: true })
  const files = globSync('**/*.graphql', { cwd: fileURLToPath(WEB) })
  const web = files.map((file) => readFileSync(new URL(file, WEB), 'utf8'))
  const rest = selectedFields(
    routes.map(({ operation }) => operation),
    schema,
  )
  return [...selectedFields(web, schema)].filter((field) => !rest.has(field)).sort()
}
