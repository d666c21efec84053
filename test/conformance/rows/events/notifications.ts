import { randomUUID } from 'node:crypto'
import { withCollector } from '../../callbacks.ts'
import { call, expectError, readUntil } from '../../calls.ts'
import { accept } from '../../events.ts'
import { notified, store } from '../../notified.ts'
import { inSection } from '../../row.ts'

interface Notified {
  data: { changes: { kinds: string[] }[] }
}

interface Stored {
  id: string
}

export const notifications = inSection('EV', 'Events', [
  {
    id: 'EV-165',
    rule: 'channel, rule and silence MUST be artifacts; what is wrong with them MUST be refused with 400 when they are stored, naming the attribute.',
    check: async () => {
      const name = randomUUID()
      const email = { id: name, name, kind: 'email', to: ['a@example.com'] }
      expect(await store('/channel', email)).toMatchObject({ status: 201, body: { id: name } })
      const rule = { id: name, name, query: 'severity:ERROR', channels: [name] }
      expect(await store('/rule', rule)).toMatchObject({
        status: 201,
        body: { groupWait: '30s', groupInterval: '5m', channels: [name] },
      })
      const until = '2100-01-01T00:00:00Z'
      const silence = { name, query: `eventClass:"${name}"`, until, reason: 'work' }
      const stored = await store<Stored>('/silence', silence)
      expect(stored.status).toBe(201)
      const webhook = { name: randomUUID(), kind: 'webhook', url: 'https://example.com/hook' }
      const wrong: [string, object, RegExp][] = [
        ['/rule', { ...rule, query: 'severity:(' }, /^query: /],
        ['/rule', { ...rule, repeatInterval: '1m' }, /^repeatInterval: /],
        ['/channel', { name: randomUUID(), kind: 'webhook', url: 'ftp://a.test' }, /^url: /],
        ['/silence', { ...silence, until: 'later' }, /^until: /],
        [
          '/rule',
          { ...rule, text: '{{evnt.title}}' },
          /^text: {{evnt\.title}} is unknown; expected /,
        ],
        ['/channel', { ...webhook, template: '{"a":"{{titel}}"}' }, /^template\/a: {{titel}} /],
        ['/channel', { ...webhook, template: '{{title}}' }, /^template: it is no JSON/],
      ]
      for (const [path, body, message] of wrong) {
        const answer = await store<{ message: string }>(path, body)
        expectError(answer, 400, 'BAD_USER_INPUT')
        expect(answer.body.message).toMatch(message)
      }
      const preview = await readUntil(
        () => call<{ isActive: boolean }>('GET', `/silence/${stored.body.id}/preview`),
        ({ status }) => status === 200,
      )
      expect(preview.body).toEqual({ isActive: true, total: 0, events: [] })
      expectError(await call('DELETE', `/channel/${name}`), 409, 'CONFLICT')
      expect((await call('DELETE', `/rule/${name}`)).status).toBe(204)
      expect((await call('DELETE', `/channel/${name}`)).status).toBe(204)
      expect((await call('DELETE', `/silence/${stored.body.id}`)).status).toBe(204)
    },
  },
  {
    id: 'EV-166',
    rule: 'A change that a rule matches MUST be notified to its channels, signed as callbacks are, and listed with every attempt.',
    check: () =>
      withCollector(async (collector) => {
        const { name, listed } = await notified(collector)
        const [request] = collector.requests
        expect(request).toMatchObject({ method: 'POST', path: '/hook?key=s3cret' })
        expect(request?.headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
        expect(JSON.parse(request?.body ?? '')).toMatchObject({
          type: 'notification',
          data: {
            rule: { id: name },
            reason: 'first',
            changes: [{ kinds: ['OPENED'], event: { title: 'Disk full' } }],
          },
        })
        expect(listed.at(-1)).toMatchObject({ attempts: [{ error: null }] })
        expect((await call('DELETE', `/rule/${name}`)).status).toBe(204)
      }),
  },
  {
    id: 'EV-167',
    rule: 'POST /channel/{id}/test MUST send one notification and return the answer of the other side.',
    check: () =>
      withCollector(async (collector) => {
        const name = randomUUID()
        const url = `${collector.url}/hook`
        expect((await store('/channel', { id: name, name, kind: 'slack', url })).status).toBe(201)
        const tried = await readUntil(
          () => call<object>('POST', `/channel/${name}/test`),
          ({ status }) => status === 200,
        )
        expect(tried.body).toMatchObject({ error: null, status: expect.any(Number) })
        expect(collector.requests).toMatchObject([{ path: '/hook' }])
        expectError(await call('POST', '/channel/none/test'), 404, 'NOT_FOUND')
      }),
  },
  {
    id: 'EV-216',
    rule: 'An event that a person closed and that occurs again as OPEN MUST be notified as REGRESSED, by rules with REGRESSED or REOPENED.',
    check: () =>
      withCollector(async (collector) => {
        const { name } = await notified(collector, { on: ['OPENED', 'REGRESSED'] })
        const event = { title: 'Disk full', status: 'OPEN', eventClass: name }
        const again = { ...event, source: { ref: 'again' } }
        const id = await accept(again)
        const closed = await store(`/v1/events/${id}/status`, { status: 'CLOSED' })
        expect(closed.status).toBe(200)
        await accept(again)
        const kinds = () =>
          collector.requests.flatMap(({ body }) =>
            (JSON.parse(body) as Notified).data.changes.flatMap((change) => change.kinds),
          )
        await readUntil(
          async () => kinds(),
          (all) => all.includes('REGRESSED'),
        )
        expect(kinds()).toEqual(['OPENED', 'OPENED', 'REGRESSED'])
        expect((await call('DELETE', `/rule/${name}`)).status).toBe(204)
      }),
  },
  {
    id: 'EV-192',
    rule: 'POST /v1/events/{id}/status MUST also assign an event, name a ticket and take a comment without a status; GET /v1/events/{id}/assignment MUST return the first two.',
    check: async () => {
      const id = await accept({ title: randomUUID(), status: 'OPEN' })
      const path = `/v1/events/${id}`
      const assigned = { assignee: 'ann', ticket: 'https://tickets.example.com/7' }
      const answer = await store<{ status: string }>(`${path}/status`, {
        ...assigned,
        comment: 'Known',
      })
      expect(answer).toMatchObject({ status: 200, body: { status: 'OPEN' } })
      expect(await call('GET', `${path}/assignment`)).toMatchObject({ status: 200, body: assigned })
      const { body } = await call<{ items: { comment: string }[] }>('GET', `${path}/history`)
      expect(body.items[0]?.comment).toMatch(/^Assigned to ann\..* Known$/)
      expectError(await store(`${path}/status`, {}), 400, 'BAD_USER_INPUT')
    },
  },
])
