import { randomUUID } from 'node:crypto'
import { type Answer, call } from './calls.ts'
import { product } from './row.ts'

/** Response of `POST /v1/events`; `accepted` and `errors` are absent when empty. */
export interface Ingestion {
  result: {
    sent: number
    success: string
    accepted?: { index: number; id: string }[]
    errors?: { index: number; message: string }[]
  }
}

/** A stored event; times are epoch milliseconds. */
export interface StoredEvent {
  id: string
  fingerprint: string
  fingerprintFields: string[]
  title: string
  message: string | null
  severity: string
  status: string
  source: Record<string, unknown> | null
  sender: Record<string, unknown> | null
  properties: Record<string, unknown>
  tags: string[]
  eventClass: string | null
  firstSeenAt: number
  lastSeenAt: number
  lastUpdatedAt: number
  timesSeen: number
  relatedSources: unknown
}

/** An event as a client writes it: any JSON object, right or wrong. */
export type Raw = Record<string, unknown>

const JSON_TYPE = { 'content-type': 'application/json' }

/** Posts a body that is sent as JSON text, with that content type unless `headers` name one. */
export function post(body: unknown, headers: Record<string, string> = {}) {
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  const type = names.includes('content-type') ? {} : JSON_TYPE
  return postText(JSON.stringify(body), { ...type, ...headers })
}

/** Posts text exactly as given. */
export const postText = (
  body: string,
  headers: Record<string, string> = JSON_TYPE,
): Promise<Answer<Ingestion>> => call('POST', '/v1/events', { body, headers })

export const read = (id: string): Promise<Answer<StoredEvent>> => call('GET', `/v1/events/${id}`)

/** A title that no other row uses. */
export const newTitle = (): string => `Disk almost full on ${randomUUID()}`

/** A complete event of an own fingerprint, changed by `fields`. */
export const rawEvent = (fields: Raw = {}): Raw => ({
  title: newTitle(),
  fingerprintFields: ['@title'],
  source: { ref: 'db-7', type: 'host' },
  message: '93 % used',
  properties: { mount: '/var', percentUsed: 93 },
  severity: 'WARN',
  status: 'OPEN',
  tags: ['disk'],
  ...fields,
})

/** Posts one event that has to be accepted and returns its event id. */
export async function accept(event: Raw): Promise<string> {
  const answer = await post(event)
  expect(answer).toMatchObject({ status: 202, body: { result: { sent: 1, success: 'true' } } })
  return answer.body.result.accepted?.[0]?.id ?? ''
}

/** Posts events one after the other and returns the stored event of the last. */
export async function store(...events: Raw[]): Promise<StoredEvent> {
  let id = ''
  for (const event of events) id = await accept(event)
  const { status, body } = await read(id)
  expect(status).toBe(200)
  return body
}

/** Posts one event that has to be refused and returns the message of its error. */
export async function refuse(event: unknown): Promise<string> {
  const answer = await post(event)
  expect(answer.status).toBe(400)
  expect(answer.body).toEqual({
    result: { sent: 0, success: 'false', errors: [{ index: 0, message: expect.any(String) }] },
  })
  return answer.body.result.errors?.[0]?.message ?? ''
}

/** True if both events fall under one fingerprint. */
export async function areOne(one: Raw, other: Raw): Promise<boolean> {
  return (await accept(one)) === (await accept(other))
}

/** The answer to a body that is refused as a whole. */
export const refusedAsAWhole = (message: unknown = expect.any(String)): Ingestion => ({
  result: { sent: 0, success: 'false', errors: [{ index: 0, message: message as string }] },
})

/** Response of a list. */
export interface List<Item> {
  counts: { total: number }
  items: Item[]
}

/** @param path behind /v1/events */
export const list = <Item>(
  path: string,
  query: Record<string, string>,
): Promise<Answer<List<Item>>> => call('GET', `/v1/events${path}?${new URLSearchParams(query)}`)

/** Address in a list's `Link` header; null where it does not have the relation. */
export function linkTo({ headers }: Answer<unknown>, relation: string): string | null {
  const pattern = new RegExp(`<([^>]*)>; rel="${relation}"`)
  return pattern.exec(headers.get('link') ?? '')?.[1] ?? null
}

/** @param link from the root of the server, as `Link` gives it */
export const follow = <Item>(link: string): Promise<Answer<List<Item>>> =>
  call('GET', link.replace(new URL(product().base).pathname, ''))
