import { EXAMPLE_SECRET } from '../../rest-bridge/routes/triggers.ts'
import { ADMIN, ADMIN_PASSWORD, basic } from '../support/e2e/users.ts'
import { create } from './artifacts.ts'
import { deliveryOf, executeWithCallback, withCollector } from './callbacks.ts'
import { call, graphql } from './calls.ts'
import { withUsers } from './configured.ts'
import { type ApiDocument, operationsOf } from './documents.ts'
import { type ExecutionResult, execute } from './executions.ts'
import { notified } from './notified.ts'

/** A request that is made of the examples of an operation alone. */
export interface ExampleCall {
  name: string
  method: string
  path: string
  headers: Record<string, string>
  body?: string
  /** Statuses that the document promises. */
  successes: string[]
  /** Another product than the one under check, where only those with an account can call it. */
  url?: string
}

/** Creating comes before what needs the created, and deleting at the end. */
const ORDER = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE']

/**
 * Every operation of a document as a signed-in caller sends it with the examples unchanged. Ids that the product
 * generates have no example: each call gets an object of its own.
 */
export async function* exampleCalls(
  document: ApiDocument | undefined,
): AsyncGenerator<ExampleCall> {
  if (!document) throw new Error('There is no document')
  const resultIds = new Map<string, string>()
  const all = operationsOf(document)
  const inOrder = ORDER.flatMap((order) => all.filter(({ method }) => method === order))
  // Deleting goes backwards, as what is described later may name what is described before.
  const deleting = inOrder.filter(({ method }) => method === 'DELETE').reverse()
  inOrder.splice(-deleting.length, deleting.length, ...deleting)
  for (const { name, method, path, operation } of inOrder) {
    const given = (place: string) =>
      operation.parameters.filter((each) => each.in === place && each.example !== undefined)
    const pairs = (place: string) =>
      given(place).map((each): [string, string] => [each.name, String(each.example)])
    const values = new Map(pairs('path'))
    if (path.includes('{resultId}')) {
      const context = values.get('id') ?? 'tax-table'
      const known = resultIds.get(context) ?? (await resultOf(context))
      resultIds.set(context, known)
      values.set('resultId', path.endsWith('/cancel') ? await runningResult() : known)
    }
    for (const [id, make] of Object.entries(MAKERS))
      if (path.includes(`{${id}}`)) values.set(id, await make())
    const user = /^\/account\/me|\{sessionId\}/.test(path) ? await newUser() : null
    if (user && path.includes('{sessionId}')) values.set('sessionId', await sessionOf(user))
    const body = operation.requestBody?.content['application/json'].example
    const query = new URLSearchParams(pairs('query')).toString()
    yield {
      name,
      method,
      path:
        path.replaceAll(/\{(\w+)\}/g, (_, key) => values.get(key) ?? '') + (query && `?${query}`),
      headers: {
        ...(user?.headers ?? basic('ci', 'secret')),
        ...Object.fromEntries(pairs('header')),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      successes: Object.keys(operation.responses).filter((status) => status.startsWith('2')),
      ...(user && { url: user.url }),
    }
  }
}

/** Makers of objects that ids in paths name. */
const MAKERS: Readonly<Record<string, () => Promise<string>>> = {
  accountId: newAccount,
  async tokenId() {
    const input = { accountId: await newAccount(), name: 'an example', scopes: ['events:read'] }
    const { createApiToken } = await graphql<{ createApiToken: { token: { id: string } } }>(
      `mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { token { id } } }`,
      { input },
    )
    return createApiToken.token.id
  },
  async attachmentId() {
    const file = { name: 'output.txt', base64: btoa('what a program wrote') }
    const step = { name: 'a step', state: 'COMPLETED', attachments: [file] }
    const scenario = { name: 'an example', state: 'COMPLETED', steps: [step] }
    const body = JSON.stringify({ name: 'elsewhere', scenarios: [scenario] })
    const headers = { 'content-type': 'application/json' }
    const imported = await call<ExecutionResult>('POST', '/executions/import', { headers, body })
    const [first = imported.body] = imported.body.testCaseResults
    const path = `/result/${first.id}/attachments`
    const [attachment] = (await call<{ id: string }[]>('GET', path)).body
    if (!attachment) throw new Error('The import kept no file')
    return attachment.id
  },
  async deliveryId() {
    let id = ''
    await withCollector(async ({ url }) => {
      const delivered = await executeWithCallback(url)
      id = (await deliveryOf(delivered, ({ state }) => state === 'DELIVERED')).id
    })
    return id
  },
  async causeId() {
    const { id: componentUnderTest } = await create('component')
    const step = { id: 'a', call: { function: 'none' } }
    const scenario = await create('testcase', { componentUnderTest, scenario: { steps: [step] } })
    const failed = await resultOf(scenario.id)
    const { body } = await call<{ cause: { id: string } }>('GET', `/result/${failed}/cause`)
    return body.cause.id
  },
  async notificationId() {
    let id = ''
    await withCollector(async (collector) => {
      const { listed } = await notified(collector)
      id = listed.at(-1)?.id ?? ''
    })
    return id
  },
  async triggerName() {
    const { id: target } = await create('testcase', { allowExecuteWithoutCredentials: true })
    const webhook = { webhook: 'gitlab', secret: EXAMPLE_SECRET }
    return (await create('trigger', { target, ...webhook })).id
  },
  async viewId() {
    const body = JSON.stringify({ name: `view ${++made}`, address: '/executions' })
    const headers = { 'content-type': 'application/json' }
    return (await call<{ id: string }>('POST', '/view', { headers, body })).body.id
  },
}

let made = 0

async function newAccount(): Promise<string> {
  const body = JSON.stringify({ email: `example-${++made}@example.com`, role: 'READER' })
  const headers = { 'content-type': 'application/json' }
  return (await call<{ account: { id: string } }>('POST', '/account', { headers, body })).body
    .account.id
}

interface User {
  url: string
  email: string
  password: string
  headers: Record<string, string>
}

/** A new account with the password that the examples name. */
async function newUser(): Promise<User> {
  const users = await withUsers()
  const email = `user-${++made}@example.com`
  const password = 'the password so far'
  const input = { email, password, role: 'EDITOR' }
  const created = await users.rest('POST', '/account', basic(ADMIN, ADMIN_PASSWORD), input)
  expect(created.status).toBe(201)
  return { url: users.url, email, password, headers: basic(email, password) }
}

/** A session of a browser. @returns its id */
async function sessionOf({ url, email, password }: User): Promise<string> {
  const response = await fetch(`${url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: email, password }),
  })
  return ((await response.json()) as { session: string }).session
}

/** Id of an execution that runs until it is cancelled, or for long enough. */
async function runningResult(): Promise<string> {
  const { id } = await create('testcase', {
    scenario: { steps: [{ id: 'pause', wait: { ms: 600_000 } }] },
  })
  return (await execute(`/execute/${id}`)).body.id
}

const resultOf = async (context: string) =>
  (await execute(`/execute/${context}?synchron=true`)).body.id
