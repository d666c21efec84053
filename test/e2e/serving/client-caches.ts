import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import type { DocumentNode } from 'graphql'
import { newTitle } from '../../conformance/events.ts'
import { product } from '../../conformance/row.ts'
import { data } from '../../support/e2e/graph.ts'
import {
  answering,
  createScenario,
  expect42,
  replaceSource,
  run,
} from '../../support/e2e/scenarios.ts'

type Variables = Record<string, unknown>

/** Shows a document in a client with the default cache, once it has shown everything before. */
type Shown = (document: DocumentNode, variables: Variables) => Promise<unknown>

const CLIENTS: Record<string, () => Shown> = {
  'Apollo Client': () => {
    const cache = new InMemoryCache()
    const client = new ApolloClient({ cache, link: new HttpLink({ uri: product().graphql }) })
    return async (document, variables) => {
      if (isQuery(document)) return (await client.query({ query: document, variables })).data
      const { data } = await client.mutate({ mutation: document, variables })
      // A mutation shows what the server said; here as well what its cache makes of it.
      cache.writeQuery({ query: asQuery(document), data: data as object, variables })
      return cache.readQuery({ query: asQuery(document), variables })
    }
  },
  urql: () => {
    const client = new Client({
      url: product().graphql,
      preferGetMethod: false,
      exchanges: [cacheExchange({ logger: () => {} }), fetchExchange],
    })
    return async (document, variables) => {
      const { data, error } = await (isQuery(document)
        ? client.query(document, variables)
        : client.mutation(document, variables))
      expect(error).toBeUndefined()
      return data
    }
  },
}

const RUNS = `query ($context: ID!) {
  executionResults(first: 10, filter: { contextId: $context }) {
    nodes { id state steps { ID path state } revisions { ID kind revision } tries { steps { ID state } } } } }`
const RUN =
  'query ($id: ID!) { executionResult(id: $id) { id state steps { ID path state durationMs } } }'
const CAUSES = `query ($filter: ExecutionResultFilter) {
  failureCauses(first: 10, filter: $filter) { nodes { ID causeId count scenarioCount } } }`
const CAUSE = 'query ($id: ID!) { failureCause(id: $id) { ID causeId count } }'
const APPLY = `mutation ($input: ApplyArtifactsInput!) {
  applyArtifacts(input: $input) { dryRun changes { ID kind action revision } } }`
const STATUSES = `mutation ($input: SetEventStatusesInput!) {
  setEventStatuses(input: $input) { ID outcome event { id status } } }`
const INGEST = `mutation ($input: IngestEventsInput!) {
  ingestEvents(input: $input) { accepted { index eventId } } }`

describe.each(Object.entries(CLIENTS))('the default cache of %s', (_client, connect) => {
  let context = ''

  beforeAll(async () => {
    context = await createScenario(answering(42), [{ id: 'a', wait: { ms: 1 } }, expect42])
    await run(context)
    await replaceSource(context, answering(41))
    await run(context)
    await replaceSource(context, answering(42))
    await run(context)
  })

  test.each([
    ['with', 'id'],
    ['without', ''],
  ])('shows each execution as the server does, %s ids of steps', async (_case, id) => {
    const shown = connect()
    const all = await shown(...reading(RUNS, id, { context }))
    expect(bare(all)).toEqual(await data(RUNS.replaceAll('ID ', `${id} `), { context }))
    expect(all).toMatchObject({
      executionResults: { nodes: [{ state: 'COMPLETED' }, { state: 'FAILED' }, {}] },
    })
    for (const each of nodesOf(all)) {
      const expected = await data(RUN.replaceAll('ID ', `${id} `), { id: each.id })
      expect(bare(await shown(...reading(RUN, id, { id: each.id })))).toEqual(expected)
    }
    expect(bare(await shown(...reading(RUNS, id, { context })))).toEqual(bare(all))
  })

  test.each([
    ['with', 'id'],
    ['without', ''],
  ])('shows the counts of a cause in each list, %s ids', async (_case, id) => {
    const other = await createScenario(answering(41), [expect42])
    await run(other)
    const shown = connect()
    const filters = [{ contextId: context }, { contextIds: [context, other] }, { contextId: other }]
    const [first] = causesOf(await shown(...reading(CAUSES, id, { filter: filters[0] })))
    const causeId = first?.causeId
    for (const causes of [null, [causeId], [first?.id ?? causeId]])
      for (const filter of [...filters, filters[0]]) {
        const variables = { filter: { ...filter, causes } }
        expect(bare(await shown(...reading(CAUSES, id, variables)))).toEqual(
          await data(CAUSES.replaceAll('ID ', `${id} `), variables),
        )
      }
    const variables = { id: first?.id ?? causeId }
    const all = await shown(...reading(CAUSE, id, variables))
    expect(bare(all)).toEqual(await data(CAUSE.replaceAll('ID ', `${id} `), variables))
    expect(all).toMatchObject({ failureCause: { causeId } })
  })

  test.each([
    ['with', 'id'],
    ['without', ''],
  ])('shows what became of artifacts and events, %s ids', async (_case, id) => {
    const shown = connect()
    const [set] = [
      newTitle()
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, '-'),
    ]
    const input = {
      set,
      artifacts: [{ kind: 'environment', id: set, baseUrl: 'http://a.example' }],
    }
    const actions = []
    for (const dryRun of [true, false, true]) {
      actions.push(await shown(...reading(APPLY, id, { input: { ...input, dryRun } })))
    }
    expect(actions).toMatchObject([
      { applyArtifacts: { dryRun: true, changes: [{ action: 'CREATED', revision: 1 }] } },
      { applyArtifacts: { dryRun: false, changes: [{ action: 'CREATED', revision: 1 }] } },
      { applyArtifacts: { dryRun: true, changes: [{ action: 'UNCHANGED', revision: 1 }] } },
    ])
    const title = newTitle()
    const stored = await shown(
      ...reading(INGEST, id, { input: { events: [{ title }, { title }] } }),
    )
    const eventId = idOf(stored)
    expect(bare(stored)).toEqual({
      ingestEvents: {
        accepted: [
          { index: 0, eventId },
          { index: 1, eventId },
        ],
      },
    })
    const of = { ids: [eventId, eventId, 'none'], status: 'OPEN' }
    const events = await shown(...reading(STATUSES, id, { input: of }))
    expect(events).toMatchObject({
      setEventStatuses: [{ outcome: 'CHANGED' }, { outcome: 'CHANGED' }, { outcome: 'NOT_FOUND' }],
    })
    expect(await shown(...reading(STATUSES, id, { input: of }))).toMatchObject({
      setEventStatuses: [{ outcome: 'UNCHANGED' }, {}, { outcome: 'NOT_FOUND' }],
    })
  })
})

const reading = (text: string, id: string, variables: Variables): [DocumentNode, Variables] => [
  gql(text.replaceAll('ID ', `${id} `)),
  variables,
]

const isQuery = ({ definitions }: DocumentNode): boolean =>
  definitions.some((each) => 'operation' in each && each.operation === 'query')

/** A cache has the fields of mutations beside those of queries. */
const asQuery = (document: DocumentNode): DocumentNode => ({
  ...document,
  definitions: document.definitions.map((each) =>
    'operation' in each ? { ...each, operation: 'query' as DocumentNode['kind'] } : each,
  ) as DocumentNode['definitions'],
})

/** Without the names of types that clients ask for. */
const bare = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, of) => (key === '__typename' ? undefined : of)))

interface Runs {
  executionResults: { nodes: { id: string }[] }
}
const nodesOf = (all: unknown) => (all as Runs).executionResults.nodes

interface Causes {
  failureCauses: { nodes: { id?: string; causeId: string }[] }
}
const causesOf = (shown: unknown) => (shown as Causes).failureCauses.nodes

const idOf = (stored: unknown): string | undefined =>
  (stored as { ingestEvents: { accepted: { eventId: string }[] } }).ingestEvents.accepted[0]
    ?.eventId
