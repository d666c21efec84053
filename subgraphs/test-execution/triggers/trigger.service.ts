import { AppError, badInput } from '../../../formats/errors.ts'
import { parseBounded } from '../../../formats/json/json.ts'
import type { TriggerFired } from '../../../platform/jobs/trigger-fired.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Evaluation } from '../../../runner/evaluation/evaluation.ts'
import { reasonOf, type UnattendedRuns } from '../unattended/unattended-runs.ts'
import { refusalOf } from './decide.ts'
import { filledLabels } from './labels.ts'
import { StartTaken, type StoredTrigger, type TriggerRepository } from './trigger.repository.ts'
import { deliveryOf, isPing, isProven, payloadOf, type WebhookRequest } from './webhook.ts'

export interface TriggerDeps {
  triggers: TriggerRepository
  runs: Pick<UnattendedRuns, 'prepare'>
  evaluation: Evaluation
  secrets: Pick<Secrets, 'open'>
  /** Why nothing starts by itself: the setting SCHEDULES, or a restored backup. */
  paused(): Promise<string | null>
  log: Logger
}

/** A change or request that asks for an execution. */
interface Asked {
  /** Starts once. */
  key: string
  /** JSON. */
  payload: string
  /** The execution whose end it is. */
  executionId: string | null
  /** False where its sender may repeat it. */
  isFinal: boolean
}

/** Tries of a start that others take meanwhile. */
const TRIES = 5

/** Starts executions for changes of events, and for signed requests: one for each. */
export class TriggerService {
  constructor(
    private readonly deps: TriggerDeps,
    private readonly now: () => Date = currentTime,
  ) {}

  /**
   * Takes a request of a sender.
   * @returns the id of the result; null where GitHub tries the address
   * @throws AppError UNAUTHENTICATED (no proof, or no such trigger), BAD_USER_INPUT, CONFLICT, FORBIDDEN, RATE_LIMITED, OVERLOADED
   */
  async call(name: string, request: WebhookRequest): Promise<string | null> {
    const stored = await this.deps.triggers.find(name)
    const { webhook } = stored?.trigger ?? {}
    const secret = stored?.sealed.secret
    const isKnown = stored && webhook && secret !== undefined
    if (!isKnown || !isProven(webhook, request, this.deps.secrets.open(secret), this.now()))
      throw unproven(name)
    if (isPing(webhook, request)) return null
    const asked = { payload: payloadOf(request), executionId: null, isFinal: false }
    const outcome = await this.#start(stored, { ...asked, key: `webhook ${deliveryOf(request)}` })
    if (typeof outcome === 'string') return outcome
    throw outcome
  }

  /** Takes a change of an event; a change that is refused is over. @throws AppError OVERLOADED to try it again */
  async fire({ triggerId, change, executionId, event }: TriggerFired): Promise<void> {
    const stored = await this.deps.triggers.find(triggerId)
    if (stored?.id !== triggerId || !stored.trigger.enabled) return
    await this.#start(stored, { key: change, payload: event, executionId, isFinal: true })
  }

  /** @returns the id of the result, also of an earlier start under the same key */
  async #start(stored: StoredTrigger, asked: Asked): Promise<string | AppError> {
    const { triggers, paused } = this.deps
    const { id, trigger } = stored
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const now = this.now()
      const known = await triggers.known(id, asked.key, asked.executionId, now)
      if (known.resultId) return known.resultId
      if (known.resultId === null) return new AppError('CONFLICT', 'The change was refused before')
      const { perHour, enabled: isEnabled } = trigger
      const facts = { perHour, isEnabled, paused: await paused(), ...known }
      const refusal = refusalOf(id, facts, now)
      if (refusal) return this.#refuse(stored, asked, now, refusal)
      try {
        return await this.#execute(stored, { ...asked, chain: known.chain }, now)
      } catch (error) {
        if (error instanceof StartTaken) continue
        if (!(error instanceof AppError) || error.code === 'OVERLOADED') throw error
        const message = reasonOf('trigger', stored.owner, error)
        return this.#refuse(stored, asked, now, new AppError(error.code, message))
      }
    }
    throw new AppError('OVERLOADED', `The trigger ${id} is started by many requests at once`)
  }

  async #execute(
    stored: StoredTrigger,
    { payload, ...start }: Asked & { chain: readonly string[] },
    now: Date,
  ): Promise<string> {
    const { triggers, runs, evaluation, log } = this.deps
    const { id, trigger, owner } = stored
    const { start: begin } = await runs.prepare(trigger, owner)
    const labels = await filledLabels(trigger.labels, parsed(payload), evaluation)
    const execution = await begin({
      startedBy: 'TRIGGER',
      labels: { ...labels, trigger: id },
      alongside: (em, resultId) => triggers.record(em, stored, start, now, resultId),
    })
    log.info({ trigger: id, executionId: execution.id }, 'Run of a trigger started')
    return execution.id
  }

  async #refuse(
    stored: StoredTrigger,
    asked: Asked,
    now: Date,
    refusal: AppError,
  ): Promise<AppError> {
    const { message: reason } = refusal
    this.deps.log.warn({ trigger: stored.id, reason }, 'Run of a trigger refused')
    await this.deps.triggers.refuse(stored, asked, now, reason).catch((error: unknown) => {
      if (!(error instanceof StartTaken)) throw error // it is deleted
    })
    return refusal
  }
}

/** @throws AppError BAD_USER_INPUT */
function parsed(payload: string): unknown {
  try {
    return parseBounded(Buffer.from(payload))
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw badInput('The payload is no JSON', { cause })
  }
}

const unproven = (name: string) =>
  new AppError(
    'UNAUTHENTICATED',
    `The request does not prove that its sender knows the secret of a trigger ${name} with a webhook: compare the secrets, and the form of signature (github, gitlab or standard)`,
  )
