import { createHmac, randomUUID } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import { basic } from '../../../support/e2e/users.ts'
import { lengthDelimited, protobufLogs } from '../../../support/rest-bridge/protobuf-logs.ts'
import { call, expectError } from '../../calls.ts'
import { withSettings, withUsers } from '../../configured.ts'
import { type Ingestion, read, type StoredEvent } from '../../events.ts'
import { inSection, product } from '../../row.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

const send = (name: string, body: unknown, headers: Record<string, string> = JSON_TYPE) =>
  call<Ingestion>('POST', `/v1/receivers/${name}`, { headers, body: JSON.stringify(body) })

const alertOf = (instance: string, fields: object = {}) => ({
  status: 'firing',
  labels: { alertname: 'DiskFull', instance, severity: 'critical' },
  annotations: { summary: 'Disk is 97 % full' },
  startsAt: '2026-11-28T03:56:16.789+01:00',
  endsAt: '0001-01-01T00:00:00Z',
  ...fields,
})

const webhook = (alerts: unknown[], truncatedAlerts = 0) => ({
  ...{ version: '4', status: 'firing', receiver: 'ok', externalURL: 'http://alerts', alerts },
  ...{ truncatedAlerts, groupKey: randomUUID() },
})

const stored = async (id = ''): Promise<StoredEvent> => (await read(id)).body

/** The event that shows what a receiver refused. */
async function refusals(name: string): Promise<StoredEvent | undefined> {
  const q = encodeURIComponent(`source.type:receiver AND source.ref:${name}`)
  const { body } = await call<{ items: StoredEvent[] }>('GET', `/v1/events?q=${q}`)
  return body.items[0]
}

export const receivers = inSection('EV', 'Events', [
  {
    id: 'EV-170',
    rule: 'Alerts of Alertmanager MUST become events by their own status; the response MUST be 200, also for a repeat, which MUST NOT count.',
    check: async () => {
      const [one, two] = [randomUUID(), randomUUID()]
      const first = await send('alertmanager', webhook([alertOf(one), alertOf(two)]))
      expect(first).toMatchObject({ status: 200, body: { result: { sent: 2, success: 'true' } } })
      const end = { status: 'resolved', endsAt: '2026-11-28T02:57:00Z' }
      const next = await send('alertmanager', webhook([alertOf(one, end), alertOf(two)]))
      const [ended, repeated] = next.body.result.accepted ?? []
      expect(next.body.result.accepted).toEqual(first.body.result.accepted)
      expect(await stored(ended?.id)).toMatchObject({
        ...{ status: 'CLOSED', timesSeen: 2, lastSeenAt: Date.parse(end.endsAt) },
        ...{ source: { ref: one, type: 'host' }, severity: 'CRITICAL' },
      })
      expect(await stored(repeated?.id)).toMatchObject({ status: 'OPEN', timesSeen: 1 })
    },
  },
  {
    id: 'EV-171',
    rule: 'Alerts that Alertmanager left out of a group MUST be an event of their own.',
    check: async () => {
      const { body } = await send('alertmanager', webhook([alertOf(randomUUID())], 3))
      expect(await stored(body.result.accepted?.[1]?.id)).toMatchObject({
        ...{ title: 'Alertmanager left out 3 alerts of a group', status: 'OPEN', severity: 'WARN' },
      })
    },
  },
  {
    id: 'EV-172',
    rule: 'Alerts of Prometheus MUST be OPEN while `endsAt` lies ahead and else CLOSED, and repeats MUST NOT count.',
    check: async () => {
      const instance = randomUUID()
      const at = (ms: number) => new Date(Date.now() + ms).toISOString()
      const start = at(-60_000)
      const post = (endsAt: string) =>
        send('prometheus/api/v2/alerts', [alertOf(instance, { startsAt: start, endsAt })])
      const { id } = (await post(at(60_000))).body.result.accepted?.[0] ?? {}
      await post(at(90_000))
      expect(await stored(id)).toMatchObject({ status: 'OPEN', timesSeen: 1 })
      const end = at(-1_000)
      await post(end)
      expect((await post(end)).status).toBe(200)
      expect(await stored(id)).toMatchObject({ status: 'CLOSED', timesSeen: 2 })
    },
  },
  {
    id: 'EV-173',
    rule: 'CloudEvents MUST be taken structured, binary and as a batch; one with the source and id of another MUST NOT count again.',
    check: async () => {
      const event = {
        ...{
          specversion: '1.0',
          id: randomUUID(),
          source: '/jobs',
          type: 'com.example.job.failed',
        },
        ...{ subject: randomUUID(), data: { n: 1 } },
      }
      const { data, ...attributes } = event
      const headers = Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [`ce-${name}`, value]),
      )
      const answers = [
        await send('cloudevents', event, { 'content-type': 'application/cloudevents+json' }),
        await send('cloudevents', data, { ...headers, ...JSON_TYPE }),
        await send('cloudevents', [event, { ...event, id: randomUUID() }], {
          'content-type': 'application/cloudevents-batch+json',
        }),
      ]
      const ids = answers.flatMap(({ body }) => body.result.accepted ?? []).map(({ id }) => id)
      expect(new Set(ids).size).toBe(1)
      expect(await stored(ids[0])).toMatchObject({
        ...{ title: event.subject, status: 'OPEN', severity: 'ERROR', timesSeen: 2 },
      })
    },
  },
  {
    id: 'EV-219',
    rule: 'Receivers MUST consent to deliveries of webhooks that ask first, as CloudEvents has it: OPTIONS with `WebHook-Request-Origin` is answered with what is allowed. Other addresses MUST NOT.',
    check: async () => {
      const ask = async (path: string, headers: Record<string, string>) => {
        const response = await fetch(product().base + path, { method: 'OPTIONS', headers })
        const named = (name: string) => response.headers.get(name)
        const allowed = [named('webhook-allowed-origin'), named('webhook-allowed-rate')]
        return [response.status, named('allow'), ...allowed]
      }
      const asked = {
        'WebHook-Request-Origin': 'events.example.com',
        'WebHook-Request-Rate': '120',
      }
      for (const path of ['cloudevents', 'anything', 'anything/appended'])
        expect(await ask(`/v1/receivers/${path}`, asked)).toEqual([200, 'POST, OPTIONS', '*', '*'])
      expect(await ask('/v1/receivers/cloudevents', {})).toEqual([204, 'POST, OPTIONS', null, null])
      expect(await ask('/v1/events', asked)).toEqual([204, expect.any(String), null, null])
    },
  },
  {
    id: 'EV-174',
    rule: 'Logs of OTLP MUST be answered with 200 and, where records were refused, with `partialSuccess`; each record counts.',
    check: async () => {
      const service = randomUUID()
      const post = (logRecords: unknown[]) => {
        const attributes = [{ key: 'service.name', value: { stringValue: service } }]
        return send('otlp/v1/logs', {
          resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords }] }],
        })
      }
      const record = (text: string) => ({ severityNumber: 17, body: { stringValue: text } })
      expect(await post([record('job 1 failed'), record('job 2 failed')])).toMatchObject({
        ...{ status: 200, body: {} },
      })
      expect((await post([{}, record('job 3 failed')])).body).toEqual({
        partialSuccess: { rejectedLogRecords: '1', errorMessage: expect.any(String) },
      })
      const { body } = await call<{ items: StoredEvent[] }>(
        'GET',
        `/v1/events?q=${encodeURIComponent(`source.ref:"${service}"`)}`,
      )
      expect(body.items).toMatchObject([{ title: 'job 3 failed', severity: 'ERROR', timesSeen: 3 }])
    },
  },
  {
    id: 'EV-215',
    rule: 'Logs of OTLP in protobuf, also compressed, MUST be stored as those in JSON are, and answered in protobuf.',
    check: async () => {
      const service = randomUUID()
      const records = (texts: string[]) => protobufLogs(service, texts)
      const post = async (body: Buffer, headers = {}) => {
        const response = await fetch(`${product().base}/v1/receivers/otlp/v1/logs`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-protobuf', ...headers },
          body: new Uint8Array(body),
        })
        expect(response.headers.get('content-type')).toBe('application/x-protobuf')
        return [response.status, Buffer.from(await response.arrayBuffer()).toString('latin1')]
      }
      expect(await post(records(['job 1 failed']))).toEqual([200, ''])
      const zipped = gzipSync(records(['', 'job 2 failed']))
      const [status, refused] = await post(zipped, { 'content-encoding': 'gzip' })
      expect([status, refused]).toEqual([
        200,
        expect.stringContaining('The log record has neither'),
      ])
      const { body } = await call<{ items: StoredEvent[] }>(
        'GET',
        `/v1/events?q=${encodeURIComponent(`source.ref:"${service}"`)}`,
      )
      expect(body.items).toMatchObject([{ title: 'job 2 failed', severity: 'ERROR', timesSeen: 2 }])
    },
  },
  {
    id: 'EV-175',
    rule: 'Envelopes of Sentry MUST be answered with 200 and their id, without a Content-Type; equal event ids count once.',
    check: async () => {
      const event_id = randomUUID().replaceAll('-', '')
      const server_name = randomUUID()
      const item = { event_id, server_name, message: 'Disk almost full', level: 'warning' }
      const body = [{ event_id }, { type: 'event' }, item, { type: 'session' }, {}]
        .map((line) => JSON.stringify(line))
        .join('\n')
      const path = '/v1/receivers/sentry/api/42/envelope/?sentry_version=7&sentry_key=pubkey'
      for (let time = 0; time < 2; time++) {
        const response = await fetch(product().base + path, {
          method: 'POST',
          body: new TextEncoder().encode(body),
        })
        expect([response.status, await response.json()]).toEqual([200, { id: event_id }])
      }
      const listed = await call<{ items: StoredEvent[] }>(
        'GET',
        `/v1/events?q=${encodeURIComponent(`source.ref:"${server_name}"`)}`,
      )
      expect(listed.body.items).toMatchObject([{ severity: 'WARN', status: 'OPEN', timesSeen: 1 }])
    },
  },
  {
    id: 'EV-218',
    rule: 'Events that SDKs of Sentry send without an envelope MUST count as those in envelopes, as JSON and as Base64 of deflated JSON.',
    check: async () => {
      const event_id = randomUUID().replaceAll('-', '')
      const server_name = randomUUID()
      const exception = { values: [{ type: 'ZeroDivisionError', value: 'division by zero' }] }
      const json = JSON.stringify({ event_id, server_name, exception, level: 'error' })
      for (const body of [json, deflateSync(json).toString('base64')]) {
        const response = await fetch(`${product().base}/v1/receivers/sentry/api/42/store/`, {
          method: 'POST',
          headers: { 'x-sentry-auth': 'Sentry sentry_version=7, sentry_key=pubkey' },
          body,
        })
        expect([response.status, await response.json()]).toEqual([200, { id: event_id }])
      }
      const listed = await call<{ items: StoredEvent[] }>(
        'GET',
        `/v1/events?q=${encodeURIComponent(`source.ref:"${server_name}"`)}`,
      )
      expect(listed.body.items).toMatchObject([
        { title: 'ZeroDivisionError: division by zero', severity: 'ERROR', timesSeen: 1 },
      ])
    },
  },
  {
    id: 'EV-176',
    rule: 'Ends of workflows and checks of GitHub MUST become events of their branch, a delivery once; all other events of it are ignored.',
    check: async () => {
      const full_name = `octo/${randomUUID()}`
      const post = (conclusion: string | null, delivery: string = randomUUID()) =>
        send(
          'github',
          {
            repository: { full_name },
            workflow_run: { name: 'CI', head_branch: 'main', conclusion },
          },
          { ...JSON_TYPE, 'x-github-event': 'workflow_run', 'x-github-delivery': delivery },
        )
      const failed = await post('failure', 'd')
      const id = failed.body.result.accepted?.[0]?.id
      await post('failure', 'd')
      expect((await post(null)).body).toEqual({ result: { sent: 0, success: 'true' } })
      expect(await stored(id)).toMatchObject({
        ...{ title: 'CI on main', status: 'OPEN', severity: 'ERROR', timesSeen: 1 },
      })
      await post('success')
      expect(await stored(id)).toMatchObject({ status: 'OK', severity: 'INFO', timesSeen: 2 })
    },
  },
  {
    id: 'EV-177',
    rule: 'A request or an item that never will be accepted MUST be answered with success, and an event MUST show how many a receiver refused, and why.',
    check: async () => {
      const before = (await refusals('prometheus'))?.timesSeen ?? 0
      const huge = alertOf(randomUUID(), { annotations: { summary: 'x'.repeat(40_000) } })
      const path = 'prometheus/api/v2/alerts'
      expect(await send(path, [1, huge, alertOf(randomUUID())])).toMatchObject({
        status: 200,
        body: { result: { sent: 1, success: 'partial', errors: [{ index: 0 }, { index: 1 }] } },
      })
      expect(await refusals('prometheus')).toMatchObject({
        ...{ title: 'Receiver prometheus refused 2', status: 'OPEN', timesSeen: before + 1 },
        message: expect.stringMatching(/not a JSON object\n.*larger than 32768 bytes/),
      })
      for (const body of ['{', ''])
        expect(
          await call('POST', `/v1/receivers/${path}`, { headers: JSON_TYPE, body }),
        ).toMatchObject({ status: 200, body: { result: { sent: 0, success: 'false' } } })
      expect((await refusals('prometheus'))?.timesSeen).toBe(before + 3)
    },
  },
  {
    id: 'EV-178',
    rule: 'Receivers MUST take the sign-in of their senders: Basic or a token, and without either 401.',
    check: async () => {
      const client = await withUsers()
      const post = (headers: Record<string, string>) =>
        fetch(`${client.url}/api/v1/receivers/alertmanager`, {
          method: 'POST',
          headers: { ...JSON_TYPE, ...headers },
          body: JSON.stringify(webhook([alertOf(randomUUID())])),
        })
      const refused = await post({})
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        ...[401, expect.stringContaining('Basic')],
      ])
      expect((await post(basic('nobody', 'wrong'))).status).toBe(401)
    },
  },
  {
    id: 'EV-217',
    rule: 'A failure MUST be a google.rpc.Status in protobuf where OTLP logs came in protobuf, with status and headers of all failures.',
    check: async () => {
      const client = await withUsers()
      const response = await fetch(`${client.url}/api/v1/receivers/otlp/v1/logs`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-protobuf' },
        body: new Uint8Array(protobufLogs('shop', ['job 1 failed'])),
      })
      expect([response.status, response.headers.get('content-type')]).toEqual([
        ...[401, 'application/x-protobuf'],
      ])
      expect(response.headers.get('www-authenticate')).toContain('Basic')
      const body = Buffer.from(await response.arrayBuffer())
      const json = await client.rest('POST', '/v1/receivers/otlp/v1/logs', JSON_TYPE)
      expect(body).toEqual(lengthDelimited(2, json.body.message))
    },
  },
  {
    id: 'EV-179',
    rule: 'Where the secret of a receiver is set, its signature or key MUST let a request in, and nothing else of an unknown sender.',
    check: async () => {
      const settings = { RECEIVER_GITHUB_SECRET: 'a secret', RECEIVER_SENTRY_KEY: 'a-key' }
      await withSettings(settings, async () => {
        const body = JSON.stringify({ zen: 'x' })
        const signature = createHmac('sha256', 'a secret').update(body).digest('hex')
        const post = (headers: Record<string, string>) =>
          call('POST', '/v1/receivers/github', {
            headers: { ...JSON_TYPE, 'x-github-event': 'ping', ...headers },
            body,
          })
        expectError(await post({}), 401, 'UNAUTHENTICATED')
        expectError(await post({ 'x-hub-signature-256': 'sha256=00' }), 401, 'UNAUTHENTICATED')
        expect((await post({ 'x-hub-signature-256': `sha256=${signature}` })).status).toBe(200)
        const envelope = (key: string) =>
          call('POST', `/v1/receivers/sentry/api/1/envelope?sentry_key=${key}`, { body: '{}' })
        expectError(await envelope('other'), 401, 'UNAUTHENTICATED')
        expect((await envelope('a-key')).status).toBe(200)
      })
    },
  },
])
