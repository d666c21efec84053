import { createHmac } from 'node:crypto'
import { type Artifact, create, send, unique } from '../../artifacts.ts'
import { call, expectError } from '../../calls.ts'
import { inSection } from '../../row.ts'

const SECRET = 'a secret of the sender'
const SIGNING = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const open = () => create('testcase', { allowExecuteWithoutCredentials: true })
const hook = async (attributes: object = {}) => {
  const { id: target } = await open()
  return create('trigger', { target, webhook: 'github', secret: SECRET, ...attributes })
}

const post = (name: string, body: string, headers: Record<string, string>) =>
  call<{ resultId: string }>('POST', `/v1/triggers/${encodeURIComponent(name)}`, {
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })

const hubSignature = (body: string) =>
  `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`

/** As GitHub sends it. */
const push = (name: string, delivery: string, body = '{"ref":"refs/heads/main"}') =>
  post(name, body, { 'x-hub-signature-256': hubSignature(body), 'x-github-delivery': delivery })

/** Headers of a signed request. */
function signed(body: string, id = unique('msg')): Record<string, string> {
  const at = String(Math.floor(Date.now() / 1_000))
  const key = Buffer.alloc(32, 7)
  const digest = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${digest}` }
}

const read = async (id: string) => (await call<Artifact>('GET', `/trigger/${id}`)).body

export const triggers = inSection('TX', 'Resources: artifact', [
  {
    id: 'TX-410',
    rule: 'A trigger MUST have query or webhook, on, secret, target, environment, credentialsFrom, labels, perHour and enabled, and show storedBy, lastRunAt, lastResultId and failure, which a PUT ignores.',
    check: async () => {
      const { id: target } = await open()
      const made = await create('trigger', { target, query: 'severity:CRITICAL' })
      expect(made).toMatchObject({
        ...{ target, query: 'severity:CRITICAL', webhook: null, secret: null, environment: null },
        ...{ on: ['OPENED', 'REOPENED', 'RAISED'], credentialsFrom: null, labels: {}, perHour: 10 },
        ...{ enabled: true, lastRunAt: null, lastResultId: null, failure: null },
      })
      const { status, body } = await send('PUT', `/trigger/${made.id}`, made)
      expect([status, body]).toEqual([200, made])
    },
  },
  {
    id: 'TX-411',
    rule: 'A scenario, suite or environment that a trigger names MUST not be deleted; 409 names the trigger.',
    check: async () => {
      const { id: target } = await open()
      const { id: suite } = await create('suite', { testCases: [target] })
      const { id: environment } = await create('environment')
      const { id } = await create('trigger', { target: suite, environment, query: '*' })
      const { id: other } = await create('trigger', { target, query: '*' })
      for (const [path, user] of [
        [`/suite/${suite}`, id],
        [`/environment/${environment}`, id],
        [`/testcase/${target}`, other],
      ]) {
        const refused = await call('DELETE', String(path))
        expectError(refused, 409, 'CONFLICT')
        expect(JSON.stringify(refused.body)).toContain(`the trigger ${user}`)
      }
      for (const each of [id, other]) await call('DELETE', `/trigger/${each}`)
    },
  },
  {
    id: 'TX-412',
    rule: 'A trigger with both a query and a webhook or neither, a malformed query or label, or a webhook without a secret of 16 characters, MUST be refused with 400 that names the attribute.',
    check: async () => {
      const { id: target } = await open()
      const github = { webhook: 'github', secret: SECRET }
      for (const [fault, named] of [
        [{}, 'query'],
        [{ query: '*', ...github }, 'query'],
        [{ query: 'severity:(' }, 'query'],
        [{ query: '*', on: ['CLOSED'] }, 'on'],
        [{ query: '*', secret: SECRET }, 'secret'],
        [{ query: '*', perHour: 1_001 }, 'perHour'],
        [{ query: '*', labels: { branch: '$[' } }, 'labels'],
        [{ query: '*', labels: { trigger: 'mine' } }, 'labels'],
        [{ query: '*', target: unique('none') }, 'target'],
        [{ webhook: 'github' }, 'secret'],
        [{ webhook: 'github', secret: 'short' }, 'secret'],
        [{ webhook: 'standard', secret: SECRET }, 'secret'],
        [{ webhook: 'jenkins', secret: SECRET }, 'webhook'],
      ] as const) {
        const refused = await send('POST', '/trigger', { name: unique('t'), target, ...fault })
        expectError(refused, 400, 'BAD_USER_INPUT')
        expect(JSON.stringify(refused.body)).toContain(named)
      }
    },
  },
  {
    id: 'TX-413',
    rule: 'The secret of a trigger MUST never be returned: *** stands for it, and keeps it where it is sent back.',
    check: async () => {
      const made = await hook()
      expect(made.secret).toBe('***')
      const { body: changed } = await send('PUT', `/trigger/${made.id}`, { ...made, perHour: 3 })
      expect([changed.secret, changed.perHour]).toEqual(['***', 3])
      expect((await push(made.id, unique('d'))).status).toBe(202)
    },
  },
  {
    id: 'TX-414',
    rule: "A request to /v1/triggers/{name} with GitHub's signature MUST be answered with 202 and the id of one result for each delivery, which is startedBy trigger and has labels of the payload.",
    check: async () => {
      const { id, name } = await hook({ labels: { branch: '$.ref', none: '$.missing' } })
      const delivery = unique('d')
      const { status, body } = await push(name, delivery)
      expect(status).toBe(202)
      expect((await push(id, delivery)).body).toEqual(body)
      const result = await call('GET', `/result/${body.resultId}/context`)
      expect(result.body).toMatchObject({
        startedBy: 'trigger',
        labels: [
          { name: 'branch', value: 'refs/heads/main' },
          { name: 'trigger', value: id },
        ],
      })
      expect(await read(id)).toMatchObject({ lastResultId: body.resultId, failure: null })
      const form = new URLSearchParams({ payload: '{"ref":"refs/tags/v1"}' }).toString()
      const asForm = { 'content-type': 'application/x-www-form-urlencoded' }
      const headers = { ...asForm, 'x-hub-signature-256': hubSignature(form) }
      const tagged = await post(id, form, headers)
      expect(tagged.status).toBe(202)
      expect((await call('GET', `/result/${tagged.body.resultId}/context`)).body).toMatchObject({
        labels: [
          { name: 'branch', value: 'refs/tags/v1' },
          { name: 'trigger', value: id },
        ],
      })
      const ping = { 'x-github-event': 'ping', 'x-hub-signature-256': hubSignature('{}') }
      expect(await post(id, '{}', ping)).toMatchObject({ status: 202, body: { resultId: null } })
    },
  },
  {
    id: 'TX-415',
    rule: 'A request to a webhook without proof that its sender knows the secret, or to one that does not exist, MUST be refused with 401.',
    check: async () => {
      const { id } = await hook()
      for (const [name, headers] of [
        [id, {}],
        [id, { 'x-hub-signature-256': 'sha256=00' }],
        [id, { 'x-gitlab-token': SECRET }],
        [unique('none'), { 'x-hub-signature-256': hubSignature('{}') }],
      ] as const)
        expectError(await post(name, '{}', { ...headers }), 401, 'UNAUTHENTICATED')
    },
  },
  {
    id: 'TX-416',
    rule: "GitLab's secret token and its signing token MUST each prove a request; one of equal Idempotency-Key or webhook-id MUST start once.",
    check: async () => {
      const { id } = await hook({ webhook: 'gitlab' })
      const sent = { 'x-gitlab-token': SECRET, 'idempotency-key': unique('key') }
      const first = await post(id, '{"object_kind":"push"}', sent)
      expect(first.status).toBe(202)
      expect((await post(id, '{"object_kind":"push"}', sent)).body).toEqual(first.body)
      const { id: other } = await hook({ webhook: 'gitlab', secret: SIGNING })
      expect((await post(other, '{}', signed('{}'))).status).toBe(202)
      expectError(await post(other, '{"a":1}', signed('{}')), 401, 'UNAUTHENTICATED')
    },
  },
  {
    id: 'TX-417',
    rule: 'A request that is signed as Standard Webhooks describes it MUST start one execution for each webhook-id, and MUST be refused with 401 five minutes later.',
    check: async () => {
      const { id } = await hook({ webhook: 'standard', secret: SIGNING })
      const headers = signed('{}')
      const first = await post(id, '{}', headers)
      expect(first.status).toBe(202)
      expect((await post(id, '{}', headers)).body).toEqual(first.body)
      const late = { ...headers, 'webhook-timestamp': '1614265330' }
      expectError(await post(id, '{}', late), 401, 'UNAUTHENTICATED')
    },
  },
  {
    id: 'TX-418',
    rule: 'A request beyond perHour executions within an hour MUST be refused with 429 and Retry-After, and the trigger MUST show why.',
    check: async () => {
      const { id } = await hook({ perHour: 1 })
      expect((await push(id, unique('d'))).status).toBe(202)
      const refused = await push(id, unique('d'))
      expectError(refused, 429, 'RATE_LIMITED')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
      expect((await read(id)).failure).toContain('perHour')
    },
  },
  {
    id: 'TX-419',
    rule: 'A request to a trigger that is not enabled MUST be refused with 409, and a body that is no JSON with 400; both start nothing.',
    check: async () => {
      const { id } = await hook({ enabled: false })
      expectError(await push(id, unique('d')), 409, 'CONFLICT')
      const { id: other } = await hook()
      expectError(await push(other, unique('d'), 'ref=main'), 400, 'BAD_USER_INPUT')
      for (const each of [id, other]) expect((await read(each)).lastResultId).toBeNull()
    },
  },
])
