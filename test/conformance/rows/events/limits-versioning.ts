import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { basic } from '../../../support/e2e/users.ts'
import { announceBody } from '../../../support/expect-continue.ts'
import { call } from '../../calls.ts'
import { EVENTS_PER_MINUTE, withUsers } from '../../configured.ts'
import {
  newTitle,
  post,
  postText,
  type Raw,
  rawEvent,
  refuse,
  refusedAsAWhole,
} from '../../events.ts'
import { inSection, product } from '../../row.ts'

const MIB = 1024 * 1024

const CODINGS = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
}

/** An event whose compact JSON has exactly this many bytes of UTF-8, by two-byte characters in its message. */
function eventOfBytes(bytes: number): Raw {
  const event = { title: newTitle(), message: '' }
  const missing = bytes - Buffer.byteLength(JSON.stringify(event))
  return { ...event, message: (missing % 2 ? 'x' : '') + 'ü'.repeat(Math.floor(missing / 2)) }
}

const properties = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]))

const tags = (count: number) => Array.from({ length: count }, (_, i) => `tag${i}`)

/** Announces a body of `bytes` without sending it, and reads the answer. */
const announce = (bytes: number) =>
  new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': bytes }
    const sending = request(`${product().base}/v1/events`, { method: 'POST', headers })
    sending.on('error', reject)
    sending.on('response', async (response) => {
      const answer = await text(response)
      sending.destroy()
      resolve({ status: response.statusCode, body: JSON.parse(answer) })
    })
    sending.write('[')
  })

export const limits = inSection('EV', 'Limits', [
  {
    id: 'EV-92',
    rule: 'An event MUST be accepted up to 32768 bytes of UTF-8 in compact JSON without the fields that are ignored, and refused above that.',
    check: async () => {
      expect(await post(eventOfBytes(32_768))).toMatchObject({ status: 202 })
      expect(await refuse(eventOfBytes(32_769))).toMatch(/\S/)
    },
  },
  {
    id: 'EV-93',
    rule: 'An event MUST be measured without the white space between its tokens.',
    check: async () => {
      const body = JSON.stringify(eventOfBytes(32_768), null, 4)
      const headers = { 'content-type': 'application/json' }
      expect(await call('POST', '/v1/events', { body, headers })).toMatchObject({ status: 202 })
    },
  },
  {
    id: 'EV-94',
    rule: 'An event MUST be accepted with up to 128 properties, and refused with more.',
    check: async () => {
      expect(await post(rawEvent({ properties: properties(128) }))).toMatchObject({ status: 202 })
      expect(await refuse(rawEvent({ properties: properties(129) }))).toMatch(/\S/)
    },
  },
  {
    id: 'EV-95',
    rule: 'An event MUST be accepted with up to 100 tags, and refused with more.',
    check: async () => {
      expect(await post(rawEvent({ tags: tags(100) }))).toMatchObject({ status: 202 })
      expect(await refuse(rawEvent({ tags: tags(101) }))).toMatch(/\S/)
    },
  },
  {
    id: 'EV-96',
    rule: 'An event over a limit MUST be an error of that event only.',
    check: async () => {
      const { status, body } = await post([
        rawEvent(),
        eventOfBytes(40_000),
        rawEvent({ tags: tags(101) }),
        rawEvent(),
      ])
      expect(status).toBe(202)
      expect(body.result).toMatchObject({ sent: 2, success: 'partial' })
      expect(body.result.errors?.map(({ index }) => index)).toEqual([1, 2])
    },
  },
  {
    id: 'EV-97',
    rule: 'A call MUST be taken with a thousand events and more, and be refused with 413 in the ingestion shape if it has more than 100 000.',
    check: async () => {
      const { status, body } = await post(Array.from({ length: 1_500 }, () => rawEvent()))
      expect({ status, sent: body.result.sent }).toEqual({ status: 202, sent: 1_500 })
      expect(body.result.accepted?.map(({ index }) => index)).toEqual([...Array(1_500).keys()])
      const tooMany = await post(Array.from({ length: 100_001 }, () => ({})))
      expect(tooMany).toMatchObject({ status: 413, body: refusedAsAWhole() })
    },
  },
  {
    id: 'EV-98',
    rule: 'A body of more than 32 MiB MUST be refused with 413 in the ingestion shape.',
    check: async () => {
      expect(await announce(32 * MIB + 1)).toEqual({ status: 413, body: refusedAsAWhole() })
    },
  },
  {
    id: 'EV-99',
    rule: 'Compressed bodies MUST be accepted, and measured inflated.',
    check: async () => {
      const text = JSON.stringify([rawEvent(), rawEvent()])
      const bomb = Buffer.alloc(32 * MIB + 1, ' ')
      for (const [coding, compress] of Object.entries(CODINGS)) {
        const headers = { 'content-type': 'application/json', 'content-encoding': coding }
        const sent = await call('POST', '/v1/events', { headers, body: compress(text) })
        expect({ coding, sent }).toMatchObject({ coding, sent: { status: 202 } })
        const tooMuch = await call('POST', '/v1/events', { headers, body: compress(bomb) })
        expect({ coding, tooMuch }).toMatchObject({
          coding,
          tooMuch: { status: 413, body: refusedAsAWhole() },
        })
      }
      const unknown = { 'content-type': 'application/json', 'content-encoding': 'rot13' }
      expect(await postText(text, unknown)).toMatchObject({ status: 415, body: refusedAsAWhole() })
    },
  },
  {
    id: 'EV-100',
    rule: 'A rate limit MUST be off unless configured, and answer 429 with Retry-After when it is exceeded, and 413 to a call that no minute takes.',
    check: async () => {
      expect((await post(rawEvent())).headers.has('ratelimit-limit')).toBe(false)
      const users = await withUsers()
      const tag = newTitle()
      const send = (count: number, headers: Record<string, string>) => {
        const events = Array.from({ length: count }, () => rawEvent({ tags: [tag] }))
        return users.rest('POST', '/v1/events', headers, events)
      }
      const email = 'ev-100@example.com'
      const { headers: sender } = await users.account(email, 'EDITOR')
      const tooMany = await send(EVENTS_PER_MINUTE + 1, sender)
      expect(tooMany).toMatchObject({ status: 413, body: refusedAsAWhole() })
      const { secret } = await users.token(sender, ['events:write'])
      const first = await send(EVENTS_PER_MINUTE - 1, sender)
      expect(first.status).toBe(202)
      expect(first.headers.get('ratelimit-remaining')).toBe('1')
      const refused = await send(2, sender)
      expect(refused).toMatchObject({ status: 429, body: refusedAsAWhole() })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await send(1, basic('', secret))).status).toBe(202)
      // However a user signs in, and however that is written, it is the same user.
      for (const again of [sender, basic('', secret), basic(email, secret), { token: secret }])
        expect((await send(1, again)).status).toBe(429)
      const early = { ...sender, 'content-type': 'application/json' }
      expect(await announceBody(`${users.url}/v1/events`, early)).toEqual({
        continued: false,
        status: 429,
      })
      const other = await users.account('other-ev-100@example.com', 'EDITOR')
      expect((await send(1, other.headers)).status).toBe(202)
      const query = new URLSearchParams({ q: `tags:"${tag}"` })
      const { body } = await users.rest('GET', `/v1/events?${query}`, sender)
      expect(body.counts.total).toBe(EVENTS_PER_MINUTE + 1)
    },
  },
])

export const versioning = inSection('EV', 'Versioning', [
  {
    id: 'EV-101',
    rule: 'The version MUST be the path prefix /v1: neither without it nor with another are there events.',
    check: async () => {
      const init = {
        body: JSON.stringify(rawEvent()),
        headers: { 'content-type': 'application/json' },
      }
      for (const path of ['/events', '/v2/events'])
        expect([path, (await call('POST', path, init)).status]).toEqual([path, 404])
    },
  },
])
