import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Supergraph } from '@apollo/federation-internals'
import { printSchema } from 'graphql'
import type { ConcreteRequest, Environment, GraphQLResponse } from 'relay-runtime'
import { type Assay, startAssay } from '../support/assay.ts'

const require = createRequire(import.meta.url)
// It is CommonJS that names its exports at run time.
const relay: typeof import('relay-runtime') = require('relay-runtime')

const SHARED_ID = 'relay'
const DOCUMENTS = `graphql\`query pagesQuery($id: ID!) {
  testCase(id: $id) { id name componentUnderTest { id name } }
  component(id: $id) { id name }
}\`
graphql\`query pagesAgainQuery($id: ID!) { node(id: $id) { ... on TestCase { name description } } }\``

let folder: string
let assay: Assay
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-relay-'))
  assay = await startAssay({ mode: 'in-process' })
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
  const sdl = await readFile(new URL('../../schema/supergraph.graphql', import.meta.url), 'utf8')
  const schema = printSchema(Supergraph.build(sdl).apiSchema().toGraphQLJSSchema())
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

test('Relay keeps a test case and a component with one id apart, and reads one again by its nodeId', async () => {
  await compile()
  const post = (kind: string, body: object) =>
    fetch(`${assay.url}/api/${kind}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
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
