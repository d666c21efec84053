import { createHmac } from 'node:crypto'
import { AppError } from '../../formats/errors.ts'
import { parseBounded } from '../../formats/json/json.ts'
import {
  type Fields,
  fieldsOf,
  isEqual,
  listOf,
  present,
  requireFields,
  textOf,
} from '../../formats/received/fields.ts'
import type { SentEvent } from '../../formats/received/received.ts'
import type { Severity, Status } from '../../formats/received/words.ts'
import type { Receiver, SenderRequest } from './receiver.ts'

/** Conclusions that judge; a run that was cancelled, or is stale, says nothing about its branch. */
const CONCLUSIONS: Readonly<Record<string, readonly [Severity, Status]>> = {
  success: ['INFO', 'OK'],
  neutral: ['INFO', 'OK'],
  skipped: ['INFO', 'OK'],
  failure: ['ERROR', 'OPEN'],
  error: ['ERROR', 'OPEN'],
  timed_out: ['ERROR', 'OPEN'],
  startup_failure: ['ERROR', 'OPEN'],
  action_required: ['WARN', 'OPEN'],
}

interface Run {
  name: unknown
  branch: unknown
  conclusion: unknown
  at: unknown
  url: unknown
  commit: unknown
}

/** X-GitHub-Event → where it says what. All other events are ignored. */
const RUNS: Readonly<Record<string, (payload: Fields) => Run>> = {
  workflow_run({ workflow_run, workflow, repository }) {
    const run = fieldsOf(workflow_run)
    const name = textOf(run.name) ?? fieldsOf(workflow).name
    return { ...runOf(run), name, branch: branchOf(run, repository) }
  },
  workflow_job: ({ workflow_job }) => {
    const job = fieldsOf(workflow_job)
    const name = [job.workflow_name, job.name].filter(Boolean).join(' / ')
    return { ...runOf(job), name }
  },
  check_run({ check_run }) {
    const run = fieldsOf(check_run)
    return { ...runOf(run), branch: fieldsOf(run.check_suite).head_branch }
  },
  check_suite({ check_suite }) {
    const suite = fieldsOf(check_suite)
    return { ...runOf(suite), name: fieldsOf(suite.app).name }
  },
  status: ({ context, state, branches, updated_at, target_url, sha }) => ({
    name: context,
    branch: fieldsOf(listOf(branches)[0]).name,
    conclusion: state,
    at: updated_at,
    url: target_url,
    commit: sha,
  }),
}

/** The branch of a fork is another one than that of its name here: `fork:main`. */
function branchOf({ head_branch, head_repository }: Fields, repository: unknown): unknown {
  const { full_name, owner } = fieldsOf(head_repository)
  const isOfFork = textOf(full_name) && full_name !== fieldsOf(repository).full_name
  return isOfFork ? `${fieldsOf(owner).login}:${head_branch}` : head_branch
}

const runOf = (run: Fields): Run => ({
  name: run.name,
  branch: run.head_branch,
  conclusion: run.conclusion,
  at: run.completed_at ?? run.updated_at,
  url: run.html_url ?? run.url,
  commit: run.head_sha,
})

export const github: Receiver = {
  name: 'github',
  path: 'github',
  summary: 'Receive ends of workflows and checks of GitHub',
  secret: {
    held: { setting: 'RECEIVER_GITHUB_SECRET' },
    isProof({ headers, body }, secret) {
      const digest = createHmac('sha256', secret).update(body).digest('hex')
      return isEqual(headers['x-hub-signature-256'] ?? '', `sha256=${digest}`)
    },
  },
  decode(request) {
    const { 'x-github-event': kind = '', 'x-github-delivery': key } = request.headers
    const payload = requireFields(payloadOf(request), 'The payload')
    if (kind === '') throw new AppError('BAD_USER_INPUT', 'The header X-GitHub-Event is missing')
    // A check that is requested again still has its former conclusion.
    const isEnd = payload.action === undefined || payload.action === 'completed'
    const run = isEnd && Object.hasOwn(RUNS, kind) ? RUNS[kind]?.(payload) : undefined
    const conclusion = String(run?.conclusion)
    const verdict = Object.hasOwn(CONCLUSIONS, conclusion) ? CONCLUSIONS[conclusion] : undefined
    if (!run || !verdict) return []
    const repository = textOf(fieldsOf(payload.repository).full_name)
    const workflow = textOf(run.name)
    if (!repository || !workflow)
      return [{ refused: `The payload of ${kind} names no repository or no run` }]
    return [{ event: eventOf(kind, { ...run, name: workflow }, repository, verdict), key }]
  },
}

/** JSON, or a form with it: GitHub offers both, and the form first. */
function payloadOf({ headers, body }: SenderRequest): unknown {
  const isForm = /^application\/x-www-form-urlencoded/i.test(headers['content-type'] ?? '')
  if (!isForm) return parseBounded(body)
  return parseBounded(Buffer.from(new URLSearchParams(body.toString()).get('payload') ?? ''))
}

function eventOf(
  kind: string,
  { name, branch, conclusion, at, url, commit }: Run & { name: string },
  repository: string,
  [severity, status]: readonly [Severity, Status],
): SentEvent {
  const onBranch = textOf(branch)
  return {
    title: onBranch ? `${name} on ${onBranch}` : name,
    severity,
    status,
    source: { ref: repository, type: 'repository' },
    properties: present({ event: kind, workflow: name, branch: onBranch, conclusion, url, commit }),
    createdAt: at,
    fingerprintFields: ['event', 'workflow', 'branch'],
  }
}
