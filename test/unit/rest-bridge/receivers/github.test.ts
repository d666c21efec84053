import { createHmac } from 'node:crypto'
import { github } from '../../../../rest-bridge/receivers/github.ts'
import { eventsOf, receive } from '../../../support/rest-bridge/received.ts'

const RUN = { name: 'CI', head_branch: 'main', updated_at: '2026-11-28T02:00:00Z' }
const repository = { full_name: 'octo/shop' }

const send = (kind: string, payload: object) =>
  receive(
    github,
    { repository, ...payload },
    {
      headers: {
        'x-github-event': kind,
        'x-github-delivery': 'd-1',
        'content-type': 'application/json',
      },
    },
  )

test.each([
  ['success', 'INFO', 'OK'],
  ['failure', 'ERROR', 'OPEN'],
  ['timed_out', 'ERROR', 'OPEN'],
  ['startup_failure', 'ERROR', 'OPEN'],
  ['action_required', 'WARN', 'OPEN'],
  ['neutral', 'INFO', 'OK'],
])('a workflow that completed with %s is %s and %s', (conclusion, severity, status) => {
  expect(eventsOf(send('workflow_run', { workflow_run: { ...RUN, conclusion } }))).toMatchObject([
    {
      key: 'd-1',
      event: {
        title: 'CI on main',
        severity,
        status,
        source: { ref: 'octo/shop', type: 'repository' },
        createdAt: RUN.updated_at,
        fingerprintFields: ['event', 'workflow', 'branch'],
      },
    },
  ])
})

test('what runs, was cancelled or is no run is ignored', () => {
  for (const conclusion of [null, 'cancelled', 'stale'])
    expect(send('workflow_run', { workflow_run: { ...RUN, conclusion } })).toEqual([])
  expect(send('ping', { zen: 'x' })).toEqual([])
  expect(send('push', { repository: { ...repository, pushed_at: 1795834797 } })).toEqual([])
  expect(send('constructor', {})).toEqual([])
})

test('a check that is requested again has not ended again', () => {
  const check_run = { name: 'lint', conclusion: 'failure', check_suite: { head_branch: 'main' } }
  expect(eventsOf(send('check_run', { action: 'completed', check_run }))).toHaveLength(1)
  for (const action of ['rerequested', 'requested_action'])
    expect(send('check_run', { action, check_run })).toEqual([])
})

test('a run without a name has that of its workflow, and one of a fork is of its branch there', () => {
  const titleOf = (run: object) => {
    const workflow_run = { ...RUN, name: null, conclusion: 'failure', ...run }
    const [only] = eventsOf(send('workflow_run', { workflow_run, workflow: { name: 'Tests' } }))
    return only?.event.title
  }
  expect(titleOf({ name: '', head_repository: repository })).toBe('Tests on main')
  const fork = { full_name: 'ann/shop', owner: { login: 'ann' } }
  expect(titleOf({ head_repository: fork })).toBe('Tests on ann:main')
})

test('jobs, checks and statuses name their run in their own way', () => {
  const end = { conclusion: 'failure', completed_at: '2026-11-28T02:01:00Z' }
  const all = [
    send('workflow_job', { workflow_job: { ...RUN, ...end, workflow_name: 'CI', name: 'lint' } }),
    send('check_run', { check_run: { ...end, name: 'lint', check_suite: { head_branch: 'dev' } } }),
    send('check_suite', { check_suite: { ...RUN, ...end, app: { name: 'Actions' } } }),
    send('status', { context: 'ci/x', state: 'error', branches: [{ name: 'dev' }] }),
  ]
  expect(all.flatMap(eventsOf).map(({ event }) => event.title)).toEqual([
    'CI / lint on main',
    'lint on dev',
    'Actions on main',
    'ci/x on dev',
  ])
})

test('a form holds the same, and a signature proves its bytes', () => {
  const payload = { repository, workflow_run: { ...RUN, conclusion: 'failure' } }
  const body = `payload=${encodeURIComponent(JSON.stringify(payload))}`
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-github-event': 'workflow_run',
    'x-hub-signature-256': `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`,
  }
  expect(eventsOf(receive(github, body, { headers }))).toHaveLength(1)
  const request = { body: Buffer.from(body), headers, query: {}, now: new Date() }
  expect(github.secret?.isProof(request, 'secret')).toBe(true)
  expect(github.secret?.isProof(request, 'other')).toBe(false)
  expect(github.secret?.isProof({ ...request, headers: {} }, 'secret')).toBe(false)
})
