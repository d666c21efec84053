import { randomUUID } from 'node:crypto'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'

export const ADMIN = 'root@example.com'
export const ADMIN_PASSWORD = 'a-password-of-the-first-one'

/** Variables that start the product with accounts, and the first administrator in them. */
export const USERS_ENV = { AUTH_MODE: 'users', ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD }

export const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})

type Headers = Record<string, string>
// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it has asked for
type Data = any

const LOAN = { principal: 1_000, annualRatePercent: 1, months: 2 }

/** A product in which users sign in, as clients reach it. */
export class Client {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  /** @returns status, headers and the parsed body */
  async rest(method: string, path: string, headers: Headers = {}, body?: unknown) {
    const response = await fetch(`${this.url}/api${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const data: Data = text ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, body: data }
  }

  async graphql(query: string, headers: Headers, variables = {}) {
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors } = (await response.json()) as { data: Data; errors?: Data[] }
    return { status: response.status, data, code: errors?.[0]?.extensions.code }
  }

  /** @throws when it is refused */
  async run(query: string, headers: Headers, variables = {}): Promise<Data> {
    const { data, code } = await this.graphql(query, headers, variables)
    if (code) throw new Error(code)
    return data
  }

  /** An account with a password. @returns its id and headers that sign it in */
  async account(email: string, role: string): Promise<{ id: string; headers: Headers }> {
    const { createAccount } = await this.run(
      'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { password account { id } } }',
      basic(ADMIN, ADMIN_PASSWORD),
      { input: { email, role } },
    )
    return { id: createAccount.account.id, headers: basic(email, createAccount.password) }
  }

  /** An API token of the user that `headers` sign in. */
  async token(headers: Headers, scopes: string[], lifetime: object = {}) {
    const { createApiToken } = await this.run(
      'mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { secret token { id expires } } }',
      headers,
      { input: { name: 'a test', scopes, ...lifetime } },
    )
    const { id, expires } = createApiToken.token
    return { secret: createApiToken.secret as string, id: id as string, expires }
  }

  /** A scenario that allows execution without credentials, which the first administrator stores. @returns its id */
  async openScenario(attributes: object = {}): Promise<string> {
    const id = `open-${randomUUID()}`
    const { status } = await this.rest('POST', '/testcase', basic(ADMIN, ADMIN_PASSWORD), {
      ...{ id, name: id, componentUnderTest: 'loan-schedule' },
      scenario: { steps: [{ id: 'first', call: { function: 'schedule', args: [LOAN] } }] },
      allowExecuteWithoutCredentials: true,
      ...attributes,
    })
    if (status !== 201) throw new Error(`The scenario was not stored: ${status}`)
    return id
  }

  /** The first answer over a WebSocket, or the code with which it was closed. */
  async overSocket(connectionParams: Record<string, unknown>, query: string): Promise<Data> {
    const client = createClient({
      url: `${this.url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams,
    })
    try {
      return (await client.iterate({ query }).next()).value
    } catch (closed) {
      return (closed as CloseEvent).code ?? closed
    } finally {
      await client.dispose()
    }
  }
}
