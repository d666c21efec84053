import type { Mask } from './mask.ts'
import type { RunError } from './run-error.ts'
import type { RunLog } from './run-log.ts'
import type { RunUpdate, StepResult, ValidationFailure } from './run-outcome.ts'
import { runStep, type StepVerdict } from './run-step.ts'
import type { Scenario, Step } from './scenario.ts'
import type { StepContext } from './step-kind.ts'
import { storable, storableText } from './storable.ts'

/** The steps of a scenario and what became of them. */
export interface StepProgress {
  results: StepResult[]
  failures: ValidationFailure[]
  /** Runs the steps in order. @returns why the scenario is ERROR, or null */
  run(context: StepContext): Promise<RunError | null>
  /** Whatever did not start is SKIPPED. */
  skipRest(): void
}

/**
 * A step that is ERROR ends the scenario, as nobody knows what state it left; one that is FAILED does so only with
 * `haltAtFailure`.
 */
export function createProgress(
  { steps, haltAtFailure = false }: Scenario,
  { mask, log, onUpdate }: { mask: Mask; log: RunLog; onUpdate(update: RunUpdate): void },
): StepProgress {
  const results: StepResult[] = []
  const failures: ValidationFailure[] = []
  const clean = (text: string) => storableText(mask.text(text))

  return {
    results,
    failures,
    async run(context) {
      for (const step of steps) {
        const result = begin(step)
        const verdict = await runStep(step, context)
        end(result, verdict)
        const counts = step.optional !== true || context.signal.aborted
        if (counts && verdict.state === 'ERROR') return verdict.reason
        if (counts && verdict.state === 'FAILED') {
          failures.push(...validationFailures(step, verdict))
          if (haltAtFailure) return null
        }
      }
      return null
    },
    skipRest() {
      for (const step of steps.slice(results.length)) {
        const now = new Date()
        const skipped = { state: 'SKIPPED', started: now, ended: now, durationMs: 0 } as const
        announce({ ...named(step), ...skipped, message: 'An earlier step ended the scenario' })
      }
    },
  }

  function begin(step: Step): StepResult {
    const state = { state: 'RUNNING', started: new Date(), ended: null, durationMs: null } as const
    const result: StepResult = { ...named(step), ...state, message: null }
    announce(result)
    return result
  }

  function end(running: StepResult, verdict: StepVerdict): void {
    const ended = new Date()
    const message = clean(messageOf(verdict))
    const durationMs = ended.getTime() - running.started.getTime()
    const { state } = verdict
    const level = state === 'COMPLETED' ? 'INFO' : 'ERROR'
    const reason = message && `: ${message}`
    log.write(level, 'Execution', `Step ${running.id} ${state} (${durationMs} ms)${reason}`)
    results.pop()
    announce({ ...running, state, ended, durationMs, message })
  }

  /** A copy of what is announced stays; log lines written before it are out before it. */
  function announce(step: StepResult): void {
    results.push(step)
    log.flush()
    onUpdate({ kind: 'STEP', step })
  }

  function validationFailures(step: Step, { unmet }: { unmet: Unmet }): ValidationFailure[] {
    return unmet.map((each) => ({
      ...each,
      name: clean(each.name),
      message: clean(each.message),
      path: clean(each.path),
      stepId: step.id,
      expectedValue: storable(mask.value(each.expectedValue)),
      actualValue: storable(mask.value(each.actualValue)),
      datasetRow: null,
    }))
  }

  function named({ id, name = id }: Step) {
    return { id, name: clean(name) }
  }
}

type Unmet = Extract<StepVerdict, { state: 'FAILED' }>['unmet']

function messageOf(verdict: StepVerdict): string {
  if (verdict.state === 'ERROR') return verdict.reason.message
  if (verdict.state === 'COMPLETED') return ''
  const [first] = verdict.unmet
  const more = verdict.unmet.length - 1
  return `${first?.message}${more > 0 ? ` (and ${more} more)` : ''}`
}
