import { deflateSync } from 'node:zlib'
import { sentry, sentryStore } from '../../../../rest-bridge/receivers/sentry.ts'
import { captured, eventsOf, receive } from '../../../support/rest-bridge/received.ts'

const envelope = (type: string, item: object, header: object = {}) =>
  [header, { type }, item].map((line) => JSON.stringify(line)).join('\n')

test('of all items of the SDK, events and check-ins become events', () => {
  const received = captured('sentry-node-11.12-envelopes').map(({ body }) =>
    eventsOf(receive(sentry, body, { headers: {} })),
  )
  expect(received.map(({ length }) => length)).toEqual([1, 0, 0, 0, 1, 1])
  const [[checkIn] = [], , , , [message] = [], [error] = []] = received
  expect(checkIn?.event).toMatchObject({
    title: 'nightly',
    severity: 'INFO',
    status: 'OK',
    source: { ref: 'nightly', type: 'monitor' },
    createdAt: '2026-11-28T02:59:57.358Z',
  })
  expect(message).toMatchObject({
    key: '154faa854d494c4da97fa9ccddce3110',
    event: {
      title: 'Disk almost full',
      severity: 'WARN',
      status: 'OPEN',
      source: { ref: 'host1', type: 'host' },
      createdAt: 1795834797.353,
      tags: ['team:payments'],
    },
  })
  expect(error?.event).toMatchObject({
    title: "SyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
    severity: 'CRITICAL',
    properties: {
      fingerprint:
        '["parse","SyntaxError: Expected property name or \'}\' in JSON at position # (line # column #)"]',
    },
  })
})

test('payloads with a length may hold line breaks, and lists stand for their values', () => {
  const payload = JSON.stringify(
    {
      exception: [
        { type: 'A', value: 'a' },
        { type: 'B', value: 'b 1' },
      ],
      tags: [['x', 'y']],
    },
    null,
    1,
  )
  const body = `{}\n${JSON.stringify({ type: 'event', length: payload.length })}\n${payload}\n`
  const [only] = eventsOf(receive(sentry, body))
  expect(only?.event).toMatchObject({ title: 'B: b 1', severity: 'ERROR', tags: ['x:y'] })
  expect(() => receive(sentry, '{}\n{"type":"event","length":9}\n{}')).toThrow('shorter')
})

test('secrets of an environment, all of which sentry-cli 3.8 sends, are not kept', () => {
  const extra = {
    job: 'nightly',
    environ: {
      HOME: '/root',
      AUTHOR: 'ann',
      PWD: '/srv',
      SENTRY_DSN: 'http://k3y@h/api/1',
      SENTRY_AUTH_TOKEN: 'k3y',
      DB_PASSWORD: 'k3y',
      DATABASE_URL: 'postgres://ann:k3y@db/shop?x=a@b',
      mirrors: ['https://k3y@h/a', 7],
      api_key: { value: 'k3y' },
    },
  }
  const [only] = eventsOf(receive(sentry, envelope('event', { message: 'a', extra })))
  expect(only?.event.properties).toMatchObject({
    extra: {
      job: 'nightly',
      environ: {
        HOME: '/root',
        AUTHOR: 'ann',
        PWD: '/srv',
        DATABASE_URL: 'postgres://***@db/shop?x=a@b',
        mirrors: ['https://***@h/a', 7],
      },
    },
  })
  expect(JSON.stringify(only)).not.toContain('k3y')
})

test('messages of one template are one event, and frames of Go have a path alone', () => {
  const formatted = (name: string) => ({
    logentry: {
      message: 'user %s has no mail',
      params: [name],
      formatted: `user ${name} has no mail`,
    },
  })
  const [first, second] = ['ann', 'bob'].map(
    (name) => eventsOf(receive(sentry, envelope('event', formatted(name))))[0]?.event,
  )
  expect([first?.title, second?.title]).toEqual(['user ann has no mail', 'user bob has no mail'])
  expect(first?.properties?.fingerprint).toBe('["user %s has no mail"]')
  expect(second?.properties?.fingerprint).toBe('["user %s has no mail"]')
  const stacktrace = { frames: [{ function: 'main', abs_path: '/src/main.go', lineno: 7 }] }
  const exception = [{ type: '*errors.errorString', value: 'no mail', stacktrace }]
  const [only] = eventsOf(receive(sentry, envelope('event', { exception })))
  expect(only?.event.message).toBe('at main (/src/main.go:7)')
})

test.each([
  ['user %s has %d mails, 100% of %05.1f', ['ann', 3, 2.5], 'user ann has 3 mails, 100% of 2.5'],
  ['user %(name)s at %(host)s: 5%%', { name: 'ann' }, 'user ann at %(host)s: 5%'],
  ['{} of {1}, {0}', ['a', { b: 1 }], 'a of {"b":1}, a'],
  ['{name} waits', { name: 'ann' }, 'ann waits'],
  ['%s of %s', ['$1'], '$1 of %s'],
  ['%s {} %(constructor)s', ['a'], 'a {} %(constructor)s'],
  ['100%d', undefined, '100%d'],
])('the parameters of %j are filled in', (message, params, title) => {
  const [only] = eventsOf(receive(sentry, envelope('event', { logentry: { message, params } })))
  expect(only?.event.title).toBe(title)
})

test('parameters that would fill a message without end are cut', () => {
  const logentry = { message: '{0}'.repeat(300_000), params: ['x'.repeat(900_000)] }
  const [only] = eventsOf(receive(sentry, envelope('event', { logentry })))
  expect(only?.event.message?.length).toBeLessThan(4_000 * 500)
})

test('a monitor that runs has no verdict, and one that failed is open', () => {
  const checkIn = (status: string) =>
    receive(sentry, envelope('check_in', { monitor_slug: 'n', check_in_id: 'c', status }))
  expect(checkIn('in_progress')).toEqual([])
  expect(eventsOf(checkIn('error'))[0]).toMatchObject({
    key: 'c error',
    event: { severity: 'ERROR', status: 'OPEN' },
  })
  expect(checkIn('new')).toEqual([{ refused: 'The check-in of n has an unknown status' }])
})

test('the key stands in the query, in a header or in the DSN of the envelope', () => {
  const isProof = (query: object, headers: object, body = '') =>
    sentry.secret?.isProof(
      { body: Buffer.from(body), now: new Date(), query: { ...query }, headers: { ...headers } },
      'secret',
    )
  expect(isProof({ sentry_key: 'secret' }, {})).toBe(true)
  expect(isProof({}, { 'x-sentry-auth': 'Sentry sentry_version=7, sentry_key=secret, x=y' })).toBe(
    true,
  )
  expect(isProof({ sentry_key: 'other' }, {})).toBe(false)
  expect(isProof({}, {})).toBe(false)
  const tunnelled = (dsn: unknown) =>
    isProof({}, {}, envelope('event', { message: 'm' }, { sent_at: 's', dsn }))
  expect(tunnelled('https://secret@assay.example/api/v1/receivers/sentry/1')).toBe(true)
  expect(tunnelled('https://other@assay.example/api/v1/receivers/sentry/1')).toBe(false)
  expect([tunnelled('secret'), tunnelled(['secret']), isProof({}, {}, '[]')]).toEqual(
    Array(3).fill(false),
  )
})

test('an event without an envelope is read up to the size that Sentry takes', () => {
  const stored = (message: string) =>
    deflateSync(JSON.stringify({ event_id: 'e', message })).toString('base64')
  const [only] = eventsOf(receive(sentryStore, stored('Disk almost full')))
  expect(only).toMatchObject({ key: 'e', event: { title: 'Disk almost full' } })
  for (const body of [stored('x'.repeat(2 ** 20)), 'no JSON'])
    expect(() => receive(sentryStore, body)).toThrow('neither JSON nor Base64 of deflated JSON')
})
