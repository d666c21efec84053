import { createHmac, randomUUID } from 'node:crypto'
import { call, expectError } from '../../calls.ts'
import { withStore } from '../../configured.ts'
import { type Ingestion, read, type StoredEvent } from '../../events.ts'
import { store } from '../../notified.ts'
import { inSection, product } from '../../row.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

const send = <Body = Ingestion>(name: string, body: unknown, headers = {}) =>
  call<Body>('POST', `/v1/receivers/${name}`, {
    headers: { ...JSON_TYPE, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const MAPPING = {
  items: '$.jobs',
  title: '{{@.job}} on {{@.host}}',
  status: '@.state',
  statusWords: { failed: 'OPEN', done: 'OK' },
  severity: '@.level',
  severityWords: { p1: 'CRITICAL' },
  source: { ref: '@.host', type: 'host' },
  fingerprint: '@.job',
  occurrenceId: '@.run',
}

/** Stores a receiver, whose name it returns. */
async function receiver(attributes: object = {}): Promise<string> {
  const name = randomUUID()
  expect(await store('/receiver', { ...MAPPING, name, ...attributes })).toMatchObject({
    status: 201,
  })
  return name
}

const job = (fields: object = {}) => ({
  ...{ job: 'backup', host: randomUUID(), state: 'failed', level: 'P1', run: randomUUID() },
  ...fields,
})

const stored = async (id = ''): Promise<StoredEvent> => (await read(id)).body

export const storedReceivers = inSection('EV', 'Events', [
  {
    id: 'EV-210',
    rule: 'receiver MUST be an artifact; what is wrong with one MUST be refused with 400 when it is stored, naming the attribute, and names of built-in ones are reserved.',
    check: async () => {
      const name = randomUUID()
      const created = await store('/receiver', { ...MAPPING, id: name, name })
      expect(created).toMatchObject({
        ...{ status: 201, body: { id: name, title: [MAPPING.title], items: '$.jobs' } },
      })
      const same = await call('PUT', `/receiver/${name}`, {
        headers: JSON_TYPE,
        body: JSON.stringify(created.body),
      })
      expect(same).toMatchObject({ status: 200, body: { revision: 1 } })
      const wrong: [object, RegExp][] = [
        [{ title: '@.a[' }, /^title: /],
        [{ items: '$..jobs' }, /^items: /],
        [{ statusWords: { failed: 'BAD' } }, /^statusWords\.failed: /],
        [{ name: 'Alertmanager' }, /^name: Alertmanager is reserved/],
      ]
      for (const [attributes, message] of wrong) {
        const given = { ...MAPPING, name: randomUUID(), ...attributes }
        const answer = await store<{ message: string }>('/receiver', given)
        expectError(answer, 400, 'BAD_USER_INPUT')
        expect(answer.body.message).toMatch(message)
      }
      expectError(await store('/receiver', { ...MAPPING, name }), 409, 'CONFLICT')
      expect((await call('DELETE', `/receiver/${name}`)).status).toBe(204)
    },
  },
  {
    id: 'EV-211',
    rule: 'A stored receiver MUST map what is sent to its name or its id to events, and answer 202 in the shape of `/v1/events`; paths behind it are its own; an unknown name is 404.',
    check: async () => {
      const [id, name] = [randomUUID(), randomUUID()]
      await store('/receiver', { ...MAPPING, id, name })
      const first = job()
      const sent = await send(name, { jobs: [first, 7] })
      expect(sent).toMatchObject({
        status: 202,
        body: { result: { sent: 1, success: 'partial', errors: [{ index: 1 }] } },
      })
      const eventId = sent.body.result.accepted?.[0]?.id
      expect(await stored(eventId)).toMatchObject({
        ...{ title: `backup on ${first.host}`, severity: 'CRITICAL', status: 'OPEN' },
        source: { ref: first.host, type: 'host' },
      })
      const appended = await fetch(`${product().base}/v1/receivers/${id}/api/2/store?a=b`, {
        method: 'POST',
        body: JSON.stringify({ jobs: [first] }),
      })
      const again = (await appended.json()) as Ingestion // as the receiver answers
      expect(again.result.accepted?.[0]?.id).toBe(eventId)
      expect((await stored(eventId)).timesSeen).toBe(1)
      const end = job({ host: first.host, state: 'Done', level: null })
      await send(`${name}/`, { jobs: [end] })
      expect(await stored(eventId)).toMatchObject({ status: 'OK', severity: 'INFO', timesSeen: 2 })
      expectError(await send(randomUUID(), {}), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'EV-212',
    rule: 'Status and body of the response MUST be those of the receiver, also for a body that never will be accepted, which MUST be counted in an event.',
    check: async () => {
      const name = await receiver({ response: { status: 200, body: { ok: true } } })
      const silent = await receiver({ response: { status: 204 } })
      for (const body of [{ jobs: [job()] }, '{']) {
        expect(await send(name, body)).toMatchObject({ status: 200, body: { ok: true } })
        expect((await send(silent, body)).status).toBe(204)
      }
      const q = encodeURIComponent(`source.type:receiver AND source.ref:"${name}"`)
      const { body } = await call<{ items: StoredEvent[] }>('GET', `/v1/events?q=${q}`)
      expect(body.items).toMatchObject([{ title: `Receiver ${name} refused 1`, timesSeen: 1 }])
    },
  },
  {
    id: 'EV-213',
    rule: 'The secret of a receiver MUST let in what has it or is signed with it, and nothing else of an unknown sender; it is stored sealed and never shown.',
    check: async () => {
      await withStore(async (_, database) => {
        const secret = randomUUID()
        const inHeader = await receiver({ secret, proof: { header: 'X-Token' } })
        const inQuery = await receiver({ secret, proof: { query: 'key' } })
        const signed = await receiver({
          secret,
          proof: { header: 'X-Signature', prefix: 'sha256=', hmac: 'HEX' },
        })
        const body = JSON.stringify({ jobs: [job()] })
        const signature = createHmac('sha256', secret).update(body).digest('hex')
        expect((await send(inHeader, body, { 'x-token': secret })).status).toBe(202)
        expect((await send(`${inQuery}?key=${secret}`, body)).status).toBe(202)
        expect((await send(signed, body, { 'x-signature': `sha256=${signature}` })).status).toBe(
          202,
        )
        expectError(await send(inHeader, body, { 'x-token': 'other' }), 401, 'UNAUTHENTICATED')
        expectError(await send(inQuery, body), 401, 'UNAUTHENTICATED')
        expectError(await send(signed, body, { 'x-signature': signature }), 401, 'UNAUTHENTICATED')
        const listed = await call('GET', '/receiver?pageSize=1000')
        expect(JSON.stringify(listed.body)).not.toContain(secret)
        expect(await database.everything()).not.toContain(secret)
      })
    },
  },
  {
    id: 'EV-214',
    rule: 'A receiver MUST be tried against a body before it is stored; the preview stores nothing.',
    check: async () => {
      const host = randomUUID()
      const preview = (receiver: object, body: unknown) =>
        store('/receiver/preview', { receiver, body })
      expect(await preview(MAPPING, { jobs: [job({ host }), {}] })).toMatchObject({
        status: 200,
        body: {
          total: 2,
          events: [
            { event: { title: `backup on ${host}`, status: 'OPEN' }, refused: null },
            { event: null, refused: expect.stringMatching(/^The title is missing/) },
          ],
        },
      })
      const q = encodeURIComponent(`source.ref:"${host}"`)
      const { body } = await call<{ counts: { total: number } }>('GET', `/v1/events?q=${q}`)
      expect(body.counts.total).toBe(0)
      expectError(await preview({ ...MAPPING, items: '$[' }, {}), 400, 'BAD_USER_INPUT')
    },
  },
])
