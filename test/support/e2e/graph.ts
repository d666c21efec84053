import { type Client, createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { product } from '../../conformance/row.ts'

export interface GraphError {
  message: string
  path?: (string | number)[]
  extensions: { code: string; requestId: string }
}

export interface GraphAnswer<T> {
  status: number
  headers: Headers
  data: T | null
  errors: GraphError[]
}

/** Runs a query or mutation over HTTP, whatever comes of it. */
export async function ask<T = Record<string, unknown>>(
  query: string,
  variables: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<GraphAnswer<T>> {
  const response = await fetch(product().graphql, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  })
  const { data = null, errors = [] } = (await response.json()) as Partial<GraphAnswer<T>>
  return { status: response.status, headers: response.headers, data, errors }
}

/** Runs a query or mutation that has to succeed. */
export async function data<T>(query: string, variables: Record<string, unknown> = {}): Promise<T> {
  const { data, errors } = await ask<T>(query, variables)
  expect(errors).toEqual([])
  return data as T
}

/** The official client over WebSocket, with the given headers in its upgrade request. */
export function connect(headers: Record<string, string> = {}): Client {
  class Socket extends WebSocket {
    constructor(address: string, protocols: string) {
      super(address, protocols, { headers })
    }
  }
  return createClient({
    url: product().graphql.replace(/^http/, 'ws'),
    webSocketImpl: Socket,
    retryAttempts: 0,
  })
}

export interface Update {
  cursor: string
  kind: 'STATE' | 'STEP' | 'LOG'
  step: { id: string; state: string } | null
  log: string[] | null
  execution: { id: string; state: string; events: { title: string; timesSeen: number }[] }
}

const WATCH = `subscription ($id: ID!, $after: String) {
  executionUpdated(id: $id, after: $after) {
    cursor kind step { id: stepId state } log execution { id state events { title timesSeen } }
  }
}`

/** Every update of an execution, until it has ended or the caller leaves. */
export async function* watch(
  client: Client,
  id: string,
  after?: string,
): AsyncGenerator<Update, void> {
  const stream = client.iterate<{ executionUpdated: Update }>({
    query: WATCH,
    variables: { id, after },
  })
  for await (const { data, errors } of stream) {
    expect(errors).toBeUndefined()
    if (data) yield data.executionUpdated
  }
}

/** All updates up to the first one that `last` recognises, or to the end. */
export async function collect(
  updates: AsyncIterable<Update>,
  last: (update: Update) => boolean = () => false,
): Promise<Update[]> {
  const seen: Update[] = []
  for await (const update of updates) {
    seen.push(update)
    if (last(update)) break
  }
  return seen
}
