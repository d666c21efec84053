import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { readUntil } from '../conformance/calls.ts'
import { type Assay, startAssay } from '../support/assay.ts'
import { ADMIN, ADMIN_PASSWORD, basic, USERS_ENV, Client as User } from '../support/e2e/users.ts'
import { assistantsPage } from '../support/system/assistants-page.ts'

/** Clients as the guide connects them. What they check of lists and results, a handler of ours cannot pass over. */
let assay: Assay
let folder: string
let page: ReturnType<typeof assistantsPage>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-mcp-'))
  const env = { ...USERS_ENV, MCP: 'on', MCP_WRITE: 'on' }
  assay = await startAssay({ mode: 'in-process', env })
  const { reading, writing } = assistantsPage(assay.url).scopes
  const admin = basic(ADMIN, ADMIN_PASSWORD)
  const { secret } = await new User(assay.url).token(admin, [...reading, ...writing])
  page = assistantsPage(assay.url, secret)
})
afterAll(async () => {
  await assay?.stop()
  rmSync(folder, { recursive: true })
})

const CREDENTIALS = Buffer.from('ci:secret').toString('base64')
const ROOT = join(import.meta.dirname, '..', '..')

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it has asked for
type Data = any

interface Connected {
  version: string | undefined
  tools(): Promise<string[]>
  call(name: string, given: object): Promise<Data>
  close(): Promise<void>
}

const INFO = { name: 'test', version: '1.0.0' }

async function connected(
  client: Client,
  transport: Parameters<Client['connect']>[0],
): Promise<Connected> {
  await client.connect(transport)
  return {
    version: client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, given) => client.callTool({ name, arguments: { ...given } }),
    close: () => client.close(),
  }
}

/** Address and headers as in the configuration of VS Code. */
const overHttp = (options: ClientOptions) => () => {
  const { url, headers } = page.vsCode
  const requestInit = { headers: { ...headers, credentials: CREDENTIALS } }
  return connected(
    new Client(INFO, options),
    new StreamableHTTPClientTransport(new URL(url), { requestInit }),
  )
}

async function former(): Promise<Connected> {
  const client = new FormerClient(INFO)
  const { url, headers } = page.vsCode
  const requestInit = { headers: { ...headers, credentials: CREDENTIALS } }
  const transport = new FormerTransport(new URL(url), { requestInit })
  await client.connect(transport as Parameters<FormerClient['connect']>[0]) // its types are of other compiler options
  return {
    version: transport.protocolVersion,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, given) => client.callTool({ name, arguments: { ...given } }),
    close: () => client.close(),
  }
}

/** A program that is started as the guide says; npx takes the package of this checkout. */
const overAdapter = (options: ClientOptions) => () => {
  const { command, args, env } = page.adapter
  return connected(
    new Client(INFO, options),
    new StdioClientTransport({
      ...{ command, args: [...args, '--header', `credentials:${CREDENTIALS}`], cwd: ROOT },
      env: {
        ...{ PATH: process.env.PATH ?? '', HOME: folder, MCP_REMOTE_CONFIG_DIR: folder },
        ...env,
      },
      stderr: 'ignore',
    }),
  )
}

const NEGOTIATING = { versionNegotiation: { mode: 'auto' } } as const

const CLIENTS: [string, string, () => Promise<Connected>][] = [
  ['client 2.4.0', '2025-11-25', overHttp({})],
  ['client 2.4.0 that negotiates', '2026-07-28', overHttp(NEGOTIATING)],
  ['sdk 1.32.2', '2025-11-25', former],
  ['mcp-remote 0.15.1', '2025-11-25', overAdapter({})],
  ['mcp-remote 0.15.1 for a client that negotiates', '2026-07-28', overAdapter(NEGOTIATING)],
]

const explained = (client: Connected, id: string) =>
  readUntil(
    async () =>
      (await client.call('explain_failure', { id })).structuredContent.data.executionResult,
    ({ state }) => state !== 'RUNNING',
  )

/** The suite of the examples, which the first client executes for all. */
let suiteId: string | undefined

test.each(CLIENTS)(
  '%s explains why the suite of the examples fails, and runs it again',
  async (_name, version, connect) => {
    const client = await connect()
    try {
      expect(client.version).toBe(version)
      expect(await client.tools()).toEqual(
        expect.arrayContaining(['find_causes', 'explain_failure', 'run_again']),
      )
      suiteId ??= (await client.call('run_test', { id: 'finance' })).structuredContent.data.execute
        .id as string
      const suite = await explained(client, suiteId)
      expect(suite).toMatchObject({
        state: 'FAILED',
        failingSince: { failures: expect.any(Number) },
      })
      const failed = suite.testCaseResults.find(({ state }: Data) => state === 'FAILED')
      expect(await explained(client, failed.id)).toMatchObject({
        cause: { id: failed.cause.id, fault: 'EXPECTATION', expectation: expect.any(String) },
        validationFailures: [{ expectedValue: 0.45, actualValue: 0.42 }],
      })
      const { structuredContent: causes } = await client.call('find_causes', {})
      expect(causes.data.failureCauses.nodes).toContainEqual(
        expect.objectContaining({ id: failed.cause.id, currentCount: 1 }),
      )
      const again = await client.call('run_again', { id: suite.id, only: 'ALL' })
      const second = await explained(client, again.structuredContent.data.executeAgain.id)
      expect(second.testCaseResults).toHaveLength(suite.testCaseResults.length)
      const wrong = await client.call('explain_failure', { id: 'a', nope: 1 })
      expect([wrong.isError, wrong.content[0].text]).toEqual([
        true,
        expect.stringContaining('takes no argument nope'),
      ])
    } finally {
      await client.close()
    }
  },
)
