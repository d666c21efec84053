import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { meros } from 'meros/browser'
import type {
  ConcreteRequest,
  Environment,
  GraphQLResponse,
  ReaderFragment,
  Variables,
} from 'relay-runtime'
import { type Assay, startAssay } from '../support/assay.ts'
import { eventually } from '../support/eventually.ts'

const require = createRequire(import.meta.url)
// It is CommonJS that names its exports at run time.
const relay: typeof import('relay-runtime') = require('relay-runtime')

const SHARED_ID = 'relay'
const DOCUMENTS = `graphql\`query pagesQuery($id: ID!) {
  testCase(id: $id) { id name componentUnderTest { id name } }
  component(id: $id) { id name }
}\`
graphql\`query pagesAgainQuery($id: ID!) { node(id: $id) { ... on TestCase { name description } } }\`
graphql\`query pagesLaterQuery($id: ID!) { testCase(id: $id) { name ...pages_history @defer(label: "history") } }\`
graphql\`fragment pages_history on TestCase { events { totalCount } }\``

let folder: string
let assay: Assay
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-relay-'))
  assay = await startAssay({ mode: 'in-process' })
  await compile()
})
afterAll(async () => {
  await assay?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The operations as relay-compiler makes them, with the configuration that docs/reference/graphql.md shows. */
async function compiled(name: string): Promise<ConcreteRequest> {
  const module = await import(
    pathToFileURL(join(folder, 'src/__generated__', `${name}.graphql.js`)).href
  )
  return module.default
}

async function compile(): Promise<void> {
  const schema = await (await fetch(`${assay.url}/graphql/schema`)).text()
  await mkdir(join(folder, 'src'))
  await Promise.all([
    writeFile(join(folder, 'schema.graphql'), schema),
    writeFile(join(folder, 'src/pages.js'), DOCUMENTS),
    writeFile(join(folder, 'package.json'), '{"type": "module"}'),
    writeFile(
      join(folder, 'relay.config.json'),
      JSON.stringify({
        src: './src',
        schema: './schema.graphql',
        language: 'javascript',
        eagerEsModules: true,
        schemaConfig: { nodeInterfaceIdField: 'nodeId' },
      }),
    ),
  ])
  const compiler = require.resolve('relay-compiler/cli.js')
  await promisify(execFile)(process.execPath, [compiler, 'relay.config.json'], { cwd: folder })
}

/** Part of a response as the older format has it, which is the one of Relay. */
interface Part {
  data?: Record<string, unknown>
  incremental?: { label: string; path: (string | number)[]; data: Record<string, unknown> }[]
  hasNext: boolean
}

/** Responses as Relay takes them: what comes later stands alone, with its label and path. */
const asRelayTakes = ({ data, incremental = [], hasNext }: Part): GraphQLResponse[] => [
  ...(data ? [{ data, extensions: { is_final: !hasNext } }] : []),
  ...incremental.map((part, at) => ({
    ...part,
    extensions: { is_final: !hasNext && at === incremental.length - 1 },
  })),
]

/** Sends an operation and reads its parts with meros. */
async function* partsOf(query: string | null | undefined, variables: Variables) {
  const response = await fetch(`${assay.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'multipart/mixed;deferSpec=20220824, application/json',
    },
    body: JSON.stringify({ query, variables }),
  })
  const parts = await meros<Part>(response)
  if (parts instanceof Response) throw new Error(`no parts: ${await parts.text()}`)
  for await (const part of parts) {
    if (!part.json) throw new Error(`a part is no JSON: ${part.body}`)
    yield part.body
  }
}

/** @param seen gets each response before Relay does */
function laterEnvironment(seen: GraphQLResponse[]): Environment {
  const { Environment, Network, Observable, RecordSource, Store } = relay
  return new Environment({
    network: Network.create(({ text }, variables) =>
      Observable.create((sink) => {
        const run = async () => {
          for await (const part of partsOf(text, variables))
            for (const response of asRelayTakes(part)) {
              seen.push(response)
              sink.next(response)
            }
          sink.complete()
        }
        run().catch((error: Error) => sink.error(error))
      }),
    ),
    store: new Store(new RecordSource()),
    getDataID: ({ nodeId }) => nodeId,
  })
}

function environment(): Environment {
  const { Environment, Network, RecordSource, Store } = relay
  return new Environment({
    network: Network.create(async ({ text }, variables) => {
      const response = await fetch(`${assay.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: text, variables }),
      })
      return (await response.json()) as GraphQLResponse
    }),
    store: new Store(new RecordSource()),
    getDataID: ({ nodeId }) => nodeId,
  })
}

const post = (path: string, body: object) =>
  fetch(`${assay.url}/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('Relay keeps a test case and a component with one id apart, and reads one again by its nodeId', async () => {
  await post('component', { id: SHARED_ID, name: 'A component', sourceCode: 'export {}' })
  const scenario = { steps: [{ id: 'one', wait: { ms: 1 } }] }
  const made = await post('testcase', {
    ...{ id: SHARED_ID, name: 'A test case', description: 'read again' },
    ...{ componentUnderTest: SHARED_ID, scenario },
  })
  expect(made.status).toBe(201)

  const client = environment()
  const read = async (name: string, variables: Record<string, unknown>) =>
    relay.fetchQuery(client, await compiled(name), variables).toPromise()
  expect(await read('pagesQuery', { id: SHARED_ID })).toEqual({
    testCase: {
      ...{ id: SHARED_ID, name: 'A test case' },
      componentUnderTest: { id: SHARED_ID, name: 'A component' },
    },
    component: { id: SHARED_ID, name: 'A component' },
  })
  const records = client.getStore().getSource()
  const named = records.getRecordIDs().filter((id) => records.get(id)?.name !== undefined)
  expect(named).toHaveLength(2)

  const [nodeId] = named.filter((id) => records.get(id)?.name === 'A test case')
  expect(await read('pagesAgainQuery', { id: nodeId })).toEqual({
    node: { name: 'A test case', description: 'read again' },
  })
  expect(records.get(nodeId ?? '')).toMatchObject({ id: SHARED_ID, description: 'read again' })
})

test('Relay shows what has come, and what it deferred when it comes from another subgraph', async () => {
  const id = 'relay-later'
  await post('testcase', {
    id,
    name: 'Later',
    scenario: { steps: [{ id: 'one', wait: { ms: 1 } }] },
  })
  const seen: GraphQLResponse[] = []
  const client = laterEnvironment(seen)
  const query = await compiled('pagesLaterQuery')
  await relay.fetchQuery(client, query, { id }).toPromise()
  await eventually(async () => expect(seen).toHaveLength(2))
  expect(seen).toMatchObject([
    { data: { testCase: { name: 'Later' } }, extensions: { is_final: false } },
    { label: 'pagesLaterQuery$defer$history', path: ['testCase'], extensions: { is_final: true } },
  ])
  const operation = relay.createOperationDescriptor(query, { id })
  await eventually(async () => {
    const fragment = (await compiled('pages_history')) as unknown as ReaderFragment
    const { data } = client.lookup(operation.fragment)
    const selector = relay.getSingularSelector(fragment, (data as { testCase: unknown }).testCase)
    if (!selector) throw new Error('no selector')
    expect(client.lookup(selector).data).toEqual({ events: { totalCount: 0 } })
  })
})
