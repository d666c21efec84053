import { setTimeout as delay } from 'node:timers/promises'
import { pauseAfter } from '../support/eventually.ts'
import { expectDocumented } from './documents.ts'
import { product } from './row.ts'

export interface Answer<T> {
  status: number
  headers: Headers
  body: T
}

/**
 * Calls the REST interface; `path` starts behind the base URL. A body that is no JSON comes back as text. Fails for an
 * answer that the API documents do not describe.
 */
export async function call<T = unknown>(
  method: string,
  path: string,
  init: { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> } = {},
): Promise<Answer<T>> {
  const response = await fetch(product().base + path, { method, ...init })
  expectOfOneCaller(response)
  const body = parsed(await response.text())
  await expectDocumented(product().base, method, path, response, body)
  return { status: response.status, headers: response.headers, body: body as T }
}

/** Asserts that no cache may hand the response to another caller. */
export function expectOfOneCaller({ headers }: Pick<Response, 'headers'>): void {
  const caching = headers.has('etag') ? 'private, no-cache' : 'no-store'
  expect(headers.get('cache-control')).toBe(caching)
  expect(headers.get('vary')?.split(', ')).toEqual(
    expect.arrayContaining(['Authorization', 'Cookie', 'Token']),
  )
}

/** Runs a GraphQL query and returns its `data`. */
export async function graphql<T>(query: string, variables: Record<string, unknown>): Promise<T> {
  const response = await fetch(product().graphql, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = (await response.json()) as { data: T; errors?: unknown }
  expect(errors).toBeUndefined()
  return data
}

/** Reads again until `done` holds, as an asynchronous caller of a REST interface has to. */
export async function readUntil<T>(
  read: () => Promise<T>,
  done: (value: T) => boolean,
  withinMs = 60_000,
): Promise<T> {
  const began = performance.now()
  for (;;) {
    const value = await read()
    if (done(value)) return value
    const waitedMs = performance.now() - began
    if (waitedMs > withinMs) throw new Error(`Not reached within ${withinMs} ms`)
    await delay(pauseAfter(waitedMs))
  }
}

export const isJson = (answer: Answer<unknown>): boolean =>
  /^application\/json\b/.test(answer.headers.get('content-type') ?? '')

/** The body of every refused request outside event ingestion. */
export interface ErrorBody {
  timestamp: string
  status: number
  error: string
  message: string
  path: string
  code: string
  requestId: string
}

/** Asserts status, code and the exact keys of the documented error body. */
export function expectError(answer: Answer<unknown>, status: number, code: string): ErrorBody {
  expect(answer.status).toBe(status)
  expect(isJson(answer)).toBe(true)
  const body = answer.body as ErrorBody
  expect(Object.keys(body).sort()).toEqual(
    ['code', 'error', 'message', 'path', 'requestId', 'status', 'timestamp'].sort(),
  )
  expect(body).toMatchObject({ status, code })
  return body
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
