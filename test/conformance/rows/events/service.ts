import { askOverTls, certFile, keyFile } from '../../../support/tls.ts'
import { call, expectError, isJson } from '../../calls.ts'
import { withSettings } from '../../configured.ts'
import {
  accept,
  areOne,
  list,
  newTitle,
  post,
  type Raw,
  rawEvent,
  read,
  store,
} from '../../events.ts'
import { inSection, product } from '../../row.ts'

export const service = inSection('EV', 'What the service does', [
  {
    id: 'EV-01',
    rule: 'The service MUST accept events that clients post.',
    check: async () => {
      expect(await post(rawEvent())).toMatchObject({ status: 202 })
    },
  },
  {
    id: 'EV-02',
    rule: 'Every single occurrence MUST be counted in its event.',
    check: async () => {
      const event = rawEvent()
      expect((await store(event)).timesSeen).toBe(1)
      await post([event, event])
      expect((await store(event)).timesSeen).toBe(4)
    },
  },
  {
    id: 'EV-03',
    rule: 'Every single occurrence MUST be kept as a raw event that can be read: GET /v1/events/{id}/raw and GET /v1/events/raw.',
    check: async () => {
      const title = newTitle()
      const first = rawEvent({ title, message: 'first', tags: [title], createdAt: 1506251154000 })
      const second = rawEvent({ title, message: 'second', tags: [title] })
      const id = await accept(first)
      await accept(second)
      const expected = [
        { ...second, eventId: id, createdAt: expect.any(Number), receivedAt: expect.any(Number) },
        { ...first, eventId: id, receivedAt: expect.any(Number) },
      ]
      for (const answer of [
        await list<Raw>(`/${id}/raw`, {}),
        await list<Raw>('/raw', { q: `tags:"${title}"` }),
      ]) {
        expect(answer).toMatchObject({ status: 200, body: { counts: { total: 2 } } })
        expect(answer.body.items).toMatchObject(expected)
      }
      expect((await list<Raw>(`/${id}/raw`, { q: 'message:first' })).body.items).toHaveLength(1)
      expectError(await list('/no-such-event/raw', {}), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'EV-04',
    rule: 'A fingerprint that was not seen before MUST create a new event.',
    check: async () => {
      expect(await areOne(rawEvent(), rawEvent())).toBe(false)
    },
  },
  {
    id: 'EV-05',
    rule: 'A fingerprint that was seen before MUST be de-duplicated into the event that has it.',
    check: async () => {
      const title = newTitle()
      const id = await accept(rawEvent({ title, message: 'first' }))
      expect(await accept(rawEvent({ title, message: 'second' }))).toBe(id)
      expect((await read(id)).body).toMatchObject({ id, title, message: 'second', timesSeen: 2 })
    },
  },
  {
    id: 'EV-06',
    rule: 'Occurrences of one fingerprint within one call MUST be de-duplicated into one event, each with a verdict of its own.',
    check: async () => {
      const event = rawEvent()
      const { body } = await post([event, event, event])
      const ids = body.result.accepted?.map(({ id }) => id) ?? []
      expect(body.result.sent).toBe(3)
      expect(ids).toEqual([ids[0], ids[0], ids[0]])
      expect((await read(ids[0] ?? '')).body.timesSeen).toBe(3)
    },
  },
  {
    id: 'EV-07',
    rule: 'A later occurrence MUST replace title, message, severity, status, tags, properties, sender and source name, each as a whole.',
    check: async () => {
      const key = newTitle()
      const fingerprintFields = ['key']
      const earlier = rawEvent({
        fingerprintFields,
        properties: { key, onlyBefore: 1 },
        source: { ref: 'db-7', type: 'host', name: 'before' },
        sender: { ref: 'agent-1', type: 'agent' },
      })
      const later = {
        title: 'Disk has room again',
        fingerprintFields,
        message: '40 % used',
        severity: 'INFO',
        status: 'CLOSED',
        tags: ['resolved'],
        properties: { key },
        source: { ref: 'db-7', type: 'host', name: 'after' },
        sender: { ref: 'agent-2', type: 'agent' },
      }
      expect(await store(earlier, later)).toMatchObject({ ...later, timesSeen: 2 })
      expect((await store(later)).properties).toEqual({ key })
    },
  },
  {
    id: 'EV-08',
    rule: 'What a later occurrence leaves out MUST fall back to its default or to nothing.',
    check: async () => {
      const title = newTitle()
      const source = { ref: 'db-7', type: 'host' }
      const event = await store(rawEvent({ title }), { title, source })
      expect(event).toMatchObject({ severity: 'INFO', status: 'OK', properties: {}, timesSeen: 2 })
      expect(event.properties).toEqual({})
      expect(event.tags ?? []).toEqual([])
      expect(event.message ?? null).toBeNull()
    },
  },
  {
    id: 'EV-09',
    rule: 'An occurrence older than the last one MUST count and change nothing else; of two equally old ones the later received wins.',
    check: async () => {
      const title = newTitle()
      const at = (createdAt: number, message: string) => rawEvent({ title, createdAt, message })
      const now = Date.now()
      const late = await store(at(now - 1_000, 'newest'), at(now - 60_000, 'older'))
      expect(late).toMatchObject({ message: 'newest', timesSeen: 2, lastSeenAt: now - 1_000 })
      expect(await store(at(now - 1_000, 'as old'))).toMatchObject({ message: 'as old' })
    },
  },
  {
    id: 'EV-10',
    rule: 'Answers MUST be JSON and say so in their content type.',
    check: async () => {
      const answers = [await post(rawEvent()), await post({}), await read(await accept(rawEvent()))]
      expect(answers.map(isJson)).toEqual([true, true, true])
    },
  },
  {
    id: 'EV-11',
    rule: 'A doubled slash behind the base URL and a slash at the end of an address MUST make no difference.',
    check: async () => {
      const init = {
        body: JSON.stringify(rawEvent()),
        headers: { 'content-type': 'application/json' },
      }
      for (const path of ['//v1/events', '/v1/events/'])
        expect(await call('POST', path, init)).toMatchObject({ status: 202 })
    },
  },
  {
    id: 'EV-12',
    rule: 'Every accepted event MUST get an event id, and GET /v1/events/{id} MUST give that event back.',
    check: async () => {
      const title = newTitle()
      const id = await accept(rawEvent({ title }))
      expect(id).toMatch(/\S/)
      expect(await read(id)).toMatchObject({ status: 200, body: { id, title, timesSeen: 1 } })
    },
  },
  {
    id: 'EV-130',
    rule: 'The addresses /v1 MUST also stand at the root of the host, beside the API root path, for clients that know a host name only.',
    check: async () => {
      const root = new URL(product().base).origin
      const id = await accept(rawEvent())
      const at = async (url: string, init?: RequestInit) => {
        const response = await fetch(url, init)
        return { status: response.status, body: await response.json() }
      }
      const sent = await at(`${root}//v1/events/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([rawEvent(), {}]),
      })
      expect(sent).toMatchObject({ status: 202, body: { result: { sent: 1, success: 'partial' } } })
      for (const path of [`/v1/events/${id}`, `/v1/events/${id}/raw`])
        expect(await at(root + path)).toEqual(await at(product().base + path))
      const list = await fetch(`${root}/v1/events?limit=1`)
      expect(list.headers.get('link')).toContain('</v1/events?')
      await list.text()
    },
  },
  {
    id: 'EV-131',
    rule: 'With TLS_CERT_FILE and TLS_KEY_FILE the server MUST speak TLS.',
    check: () =>
      withSettings(
        { TLS_CERT_FILE: certFile('first'), TLS_KEY_FILE: keyFile('first') },
        async ({ url }) => {
          expect(url).toMatch(/^https:/)
          const headers = { 'content-type': 'application/json' }
          const body = JSON.stringify(rawEvent())
          const sent = await askOverTls(`${url}/v1/events`, { method: 'POST', headers, body })
          expect(sent).toMatchObject({ status: 202, certificate: { subject: expect.anything() } })
        },
      ),
  },
])
