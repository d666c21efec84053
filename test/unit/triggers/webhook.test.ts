import { createHmac } from 'node:crypto'
import type { Webhook } from '../../../subgraphs/test-execution/triggers/trigger.ts'
import {
  deliveryOf,
  isPing,
  isProven,
  payloadOf,
} from '../../../subgraphs/test-execution/triggers/webhook.ts'

const AT = 1_614_265_330
const NOW = new Date(AT * 1_000)
const SIGNING = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** The example of GitHub's documentation. */
const GITHUB = {
  body: 'Hello, World!',
  headers: {
    'x-hub-signature-256':
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  },
}
/** The example of the Standard Webhooks, which GitLab's signing tokens follow. */
const STANDARD = {
  body: '{"test": 2432232314}',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': String(AT),
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
}
const TOKEN = { body: '{}', headers: { 'x-gitlab-token': 'a token of sixteen' } }
const SECRET = "It's a Secret to Everybody"

type Case = [string, Webhook, { body: string; headers: Record<string, string> }, string]

test.each<Case>([
  ["GitHub's signature", 'github', GITHUB, SECRET],
  ["GitLab's token", 'gitlab', TOKEN, 'a token of sixteen'],
  ["GitLab's signing token", 'gitlab', STANDARD, SIGNING],
  ['a signature of the Standard Webhooks', 'standard', STANDARD, SIGNING],
  [
    'one of several signatures, while a secret is changed',
    'standard',
    {
      ...STANDARD,
      headers: {
        ...STANDARD.headers,
        'webhook-signature': `v1,bm9uZQ== ${STANDARD.headers['webhook-signature']}`,
      },
    },
    SIGNING,
  ],
])('%s proves its sender', (_, webhook, request, secret) => {
  expect(isProven(webhook, request, secret, NOW)).toBe(true)
})

const changed = (request: Case[2], headers: Record<string, string>): Case[2] => ({
  ...request,
  headers: { ...request.headers, ...headers },
})

test.each<Case>([
  ['another body', 'github', { ...GITHUB, body: 'Hello, World?' }, SECRET],
  ['another secret', 'github', GITHUB, 'It is a Secret to Everybody'],
  ['no signature', 'github', { body: 'Hello, World!', headers: {} }, SECRET],
  ['the signature of SHA-1', 'github', sha1(), SECRET],
  ['another token', 'gitlab', TOKEN, 'a token of seventeen'],
  ['no token', 'gitlab', { body: '{}', headers: {} }, 'a token of sixteen'],
  ['a token where a signature is asked for', 'standard', TOKEN, 'a token of sixteen'],
  ['another id', 'standard', changed(STANDARD, { 'webhook-id': 'msg_2' }), SIGNING],
  ['another time', 'standard', changed(STANDARD, { 'webhook-timestamp': '1614265331' }), SIGNING],
  ['a time that is none', 'standard', changed(STANDARD, { 'webhook-timestamp': 'now' }), SIGNING],
  [
    'a signature of another version',
    'standard',
    changed(STANDARD, { 'webhook-signature': 'v1a,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' }),
    SIGNING,
  ],
])('%s proves nothing', (_, webhook, request, secret) => {
  expect(isProven(webhook, request, secret, NOW)).toBe(false)
})

function sha1(): Case[2] {
  const digest = createHmac('sha1', SECRET).update(GITHUB.body).digest('hex')
  return { body: GITHUB.body, headers: { 'x-hub-signature-256': `sha1=${digest}` } }
}

test('a signed request counts for five minutes', () => {
  for (const [seconds, counts] of [
    [299, true],
    [-299, true],
    [301, false],
    [-301, false],
  ] as const)
    expect(isProven('standard', STANDARD, SIGNING, new Date((AT + seconds) * 1_000))).toBe(counts)
})

test('each sender has its own name for a delivery, and without one each is another', () => {
  const of = (headers: Record<string, string>) => deliveryOf({ body: '', headers })
  expect(of({ 'x-github-delivery': 'd' })).toBe('d')
  expect(of({ 'idempotency-key': 'k' })).toBe('k')
  expect(of({ 'webhook-id': 'w', 'idempotency-key': 'k' })).toBe('w')
  expect(of({})).not.toBe(of({}))
})

test('a ping of GitHub asks for nothing, and a form of it carries JSON', () => {
  expect(isPing('github', { body: '', headers: { 'x-github-event': 'ping' } })).toBe(true)
  expect(isPing('gitlab', { body: '', headers: { 'x-github-event': 'ping' } })).toBe(false)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect(payloadOf({ body: 'payload=%7B%22ref%22%3A%22a%22%7D', headers: form })).toBe(
    '{"ref":"a"}',
  )
})
