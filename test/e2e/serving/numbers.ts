import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import WebSocket from 'ws'
import { newTitle } from '../../conformance/events.ts'
import { product } from '../../conformance/row.ts'

/** Texts are compared, as JSON.parse would change the numbers. PostgreSQL keeps keys of one length in their order. */
const NUMBERS = ['9007199254740993', '1234567890123456789', '-0.1000000000000000055']
const PROPERTIES = `{"a":${NUMBERS[0]},"b":{"c":["d",${NUMBERS[1]},{"e":${NUMBERS[2]}}]}}`

const JSON_TYPE = { 'content-type': 'application/json' }

const eventOf = (title: string): string =>
  `{"title":"${title}","fingerprintFields":["@title","a"],"properties":${PROPERTIES}}`

async function textOf(
  url: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = JSON_TYPE,
): Promise<string> {
  const response = await fetch(url, body === undefined ? {} : { method: 'POST', body, headers })
  const text = await response.text()
  expect([response.status, text]).toEqual([
    body === undefined || url === product().graphql ? 200 : 202,
    text,
  ])
  return text
}

const idIn = (text: string): string => /"id":"([0-9a-f-]{36})"/.exec(text)?.[1] ?? ''

const postEvents = (body: string | Uint8Array<ArrayBuffer>, headers = {}) =>
  textOf(`${product().base}/v1/events`, body, { ...JSON_TYPE, ...headers })

const ask = (query: string, variables = '{}') =>
  textOf(product().graphql, `{"query":${JSON.stringify(query)},"variables":${variables}}`)

const INGEST =
  'mutation ($input: IngestEventsInput!) { ingestEvents(input: $input) { accepted { id } errors { message } } }'

/** As a GraphQL literal: names have no quotes. */
const literal = (json: string) => json.replaceAll(/"(\w+)":/g, '$1:')

type Send = (title: string) => Promise<string>

const WAYS: [string, Send][] = [
  ['an object', (title) => postEvents(eventOf(title))],
  ['an array', (title) => postEvents(`[${eventOf(title)}]`)],
  ['gzip', (title) => postEvents(gzipSync(`[${eventOf(title)}]`), { 'content-encoding': 'gzip' })],
  ['variables', (title) => ask(INGEST, `{"input":{"events":[${eventOf(title)}]}}`)],
  [
    'literals',
    (title) =>
      ask(
        `mutation { ingestEvents(input: { events: [${literal(eventOf(title))}] }) { accepted { id } } }`,
      ),
  ],
  [
    'the default of a variable',
    (title) =>
      ask(`mutation ($event: JSON = ${literal(eventOf(title))}) {
        ingestEvents(input: { events: [$event] }) { accepted { id } } }`),
  ],
  [
    'a WebSocket',
    (title) =>
      overSocket(`{"query":"${INGEST}","variables":{"input":{"events":[${eventOf(title)}]}}}`),
  ],
]

/** Sends an operation. @returns its first answer, without the numbers having been read */
async function overSocket(operation: string): Promise<string> {
  const socket = new WebSocket(product().graphql.replace(/^http/, 'ws'), 'graphql-transport-ws')
  try {
    await once(socket, 'open')
    socket.send('{"type":"connection_init"}')
    await once(socket, 'message')
    socket.send(`{"id":"1","type":"subscribe","payload":${operation}}`)
    const [data] = await once(socket, 'message')
    return String(data)
  } finally {
    socket.terminate()
  }
}

const contains = (text: string) => expect(text).toContain(PROPERTIES)

describe('numbers that a double would change', () => {
  test.each(WAYS)('are read as they were sent by %s, over REST and GraphQL', async (_way, send) => {
    const title = newTitle()
    const id = idIn(await send(title))
    const { base } = product()
    for (const path of [`/${id}`, `/${id}/raw`, `?q=${encodeURIComponent(`title:"${title}"`)}`])
      contains(await textOf(`${base}/v1/events${path}`))
    const text = await ask(
      'query ($id: ID!) { event(id: $id) { properties occurrences { nodes { properties } } fingerprintExplanation { used { value } } } }',
      `{"id":"${id}"}`,
    )
    expect(text.split(PROPERTIES)).toHaveLength(3)
    expect(text).toContain(`{"value":${NUMBERS[0]}}`)
    const q = encodeURIComponent(`title:"${title}" AND properties.a:`)
    expect(await textOf(`${base}/v1/events?q=${q}${NUMBERS[0]}`)).toContain('"total":1')
    expect(await textOf(`${base}/v1/events?q=${q}9007199254740992`)).toContain('"total":0')
  })

  const RECEIVED =
    'subscription ($q: String, $after: String) { eventReceived(query: $q, after: $after) { rawEvent { properties } } }'
  const variablesOf = (title: string) => `{"after":"","q":${JSON.stringify(`title:"${title}"`)}}`

  test('reach subscribers over WebSocket', async () => {
    const title = newTitle()
    await postEvents(eventOf(title))
    contains(await overSocket(`{"query":"${RECEIVED}","variables":${variablesOf(title)}}`))
  })

  test('reach subscribers over SSE', async () => {
    const title = newTitle()
    await postEvents(eventOf(title))
    const response = await fetch(product().graphql, {
      method: 'POST',
      headers: { ...JSON_TYPE, accept: 'text/event-stream' },
      body: `{"query":"${RECEIVED}","variables":${variablesOf(title)}}`,
    })
    let text = ''
    for await (const piece of response.body ?? []) {
      text += Buffer.from(piece).toString()
      if (text.includes('event: next')) break
    }
    contains(text)
  })

  const SCENARIO = '{"steps":[{"id":"a","call":{"function":"f","args":[9007199254740993]}}]}'
  const CREATE = 'mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }'

  test.each([
    ['variables', () => ask(CREATE, `{"input":{"name":"n","scenario":${SCENARIO}}}`)],
    [
      'literals',
      () =>
        ask(
          `mutation { createTestCase(input: {name: "n", scenario: ${literal(SCENARIO)}}) { id } }`,
        ),
    ],
  ])('are refused in scenarios where they are %s, at their place', async (_way, send) => {
    const text = await send()
    expect(text).toContain(
      'input.scenario.steps[0].call.args[0]: 9007199254740993 would lose digits',
    )
    expect(text).toContain('"code":"BAD_USER_INPUT"')
  })

  test('are refused as ids, whose neighbours they would name', async () => {
    const text = await ask(
      'mutation ($id: ID!) { deleteComponent(id: $id) }',
      `{"id":${NUMBERS[0]}}`,
    )
    expect(text).toContain(`$id: ${NUMBERS[0]} would lose digits`)
    expect(text).toContain('"code":"BAD_USER_INPUT"')
  })

  test('are refused as any other number where the type is Int', async () => {
    const text = await ask(
      'query ($n: Int) { events(first: $n) { nodes { id } } }',
      `{"n":${NUMBERS[1]}}`,
    )
    expect(text).toContain('$n: expected Int')
  })
})
