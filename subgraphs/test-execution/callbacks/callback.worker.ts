import { AppError } from '../../../formats/errors.ts'
import type { Tried } from '../../../platform/deliveries/delivery.ts'
import { post, startAttempt } from '../../../platform/deliveries/post.ts'
import { stepAfter } from '../../../platform/deliveries/schedule.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { OutboundError } from '../../../platform/outbound/outbound-error.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { CALLBACK, type CallbackJob, LOST_CALLBACKS } from './callback.queue.ts'
import type { CallbackRepository } from './callback.repository.ts'
import type { CallbackSigner, EndedExecution } from './callback.request.ts'
import type { CallbackDelivery } from './callback.ts'
import { urlOf } from './callback-url.ts'

export interface CallbackWorkerDeps {
  repository: CallbackRepository
  /** Reads an execution that has ended. @throws AppError where it is too large */
  find(executionId: string): Promise<EndedExecution | null>
  jobs: Jobs
  outbound: Outbound
  sign: CallbackSigner
  secrets: Pick<Secrets, 'open'>
  log: Logger
  /** See RETRY_AFTER_MS. */
  schedule?: readonly number[]
  timeoutMs?: number
}

/** Attempts at a time. A slow receiver holds up to PER_RECEIVER of them, the others stay free. */
const SLOTS = 6
const PER_RECEIVER = 2
const TIMEOUT_MS = 10_000

const EVERY_FIVE_MINUTES = '*/5 * * * *'

/** Delivers callbacks until the jobs are stopped. */
export async function serveCallbacks(deps: CallbackWorkerDeps): Promise<void> {
  const { jobs } = deps
  await jobs.work<CallbackJob>(CALLBACK, SLOTS, (job) => deliver(deps, job), {
    perGroup: PER_RECEIVER,
  })
  await jobs.schedule(LOST_CALLBACKS, EVERY_FIVE_MINUTES, () => endLost(deps))
}

async function deliver(
  deps: CallbackWorkerDeps,
  { data, signal }: Job<CallbackJob>,
): Promise<void> {
  const { repository, log, schedule } = deps
  const delivery = await repository.due(data)
  const tried = delivery && (await attemptOf(deps, delivery, signal))
  if (!tried) return
  const { attempt, requestId, retryAfter } = tried
  const failedBefore = delivery.attempts.length - delivery.earlierAttempts
  const step = stepAfter(attempt, failedBefore, currentTime(), { schedule, retryAfter })
  if (!(await repository.record(delivery, attempt, step))) return
  const { receiver, executionId } = delivery
  const facts = { requestId, deliveryId: delivery.id, executionId, receiver, ...attempt, ...step }
  if (step.state === 'DELIVERED') log.info(facts, 'Callback delivered')
  else log.warn(facts, 'Callback not delivered')
}

const LOST = 'The queue has lost its job, so no attempt follows: deliver it again'

/** Ends deliveries that no job makes. */
async function endLost({ repository, log }: CallbackWorkerDeps): Promise<void> {
  for (const delivery of await repository.lost()) {
    const attempt = {
      started: currentTime().toISOString(),
      status: null,
      error: LOST,
      durationMs: 0,
    }
    const step = { state: 'DEAD', nextAttemptAt: null } as const
    if (!(await repository.record(delivery, attempt, step))) continue
    const { id: deliveryId, receiver, executionId } = delivery
    log.warn({ deliveryId, executionId, receiver, ...attempt, ...step }, 'Callback not delivered')
  }
}

/** @returns null where the execution is gone @throws when the attempt is no longer ours to make */
async function attemptOf(
  deps: CallbackWorkerDeps,
  delivery: CallbackDelivery,
  signal: AbortSignal,
): Promise<(Tried & { requestId?: string }) | null> {
  const { find, outbound, sign, timeoutMs = TIMEOUT_MS } = deps
  const now = currentTime()
  const facts = startAttempt(now)
  try {
    const execution = await find(delivery.executionId)
    if (!execution) return null
    const { requestId } = execution
    const target = readableUrl(deps, delivery)
    if (target === null) return { attempt: facts(null, UNREADABLE), requestId }
    const { body, headers } = await sign(delivery.id, execution, now)
    const request = { body, headers: { ...headers, 'x-request-id': requestId }, ...target }
    const tried = await post('callback', outbound, { ...request, timeoutMs, signal }, facts)
    return { ...tried, requestId }
  } catch (error) {
    // A result that is too large to be read is too large to be sent.
    if (error instanceof AppError) return { attempt: facts(null, error.message) }
    if (!(error instanceof OutboundError) || error.reason === 'CANCELLED') throw error
    return { attempt: facts(null, error.message) }
  }
}

/** The reason is for operators: the log has it. */
const UNREADABLE = 'The URL cannot be read with the SECRETS_KEY of the worker; its log says why'

function readableUrl(
  { secrets, log }: CallbackWorkerDeps,
  delivery: CallbackDelivery,
): ReturnType<typeof urlOf> | null {
  try {
    return urlOf(delivery, secrets)
  } catch (error) {
    log.error({ err: error, deliveryId: delivery.id }, 'Callback URL unreadable')
    return null
  }
}
