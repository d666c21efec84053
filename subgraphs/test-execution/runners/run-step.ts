import { withDeadline } from './deadline.ts'
import { judge, type Unmet } from './expectations/expectation.ts'
import { RunError } from './run-error.ts'
import type { Step } from './scenario.ts'
import type { StepContext } from './step-kind.ts'
import { isStepKindName, STEP_KINDS, type StepKindName, type StepSettings } from './step-kinds.ts'

/** How a step ended: its verdict, and why it is not COMPLETED. */
export type StepVerdict =
  | { state: 'COMPLETED' }
  | { state: 'FAILED'; unmet: Unmet[] }
  | { state: 'ERROR'; reason: RunError }

/** Runs a step under its own time limit, then judges what came out. Throws only what is a fault of ours. */
export async function runStep(step: Step, context: StepContext): Promise<StepVerdict> {
  const kind = kindOf(step)
  const timeoutMs = step.timeoutMs ?? STEP_KINDS[kind].defaultTimeoutMs
  const started = performance.now()
  try {
    const result = await withDeadline(context.signal, timeoutMs, `Step ${step.id}`, (signal) =>
      start(kind, step, { ...context, signal }),
    )
    const durationMs = Math.round(performance.now() - started)
    const unmet = expectationsOf(step).map((expectation) => judge(expectation, result, durationMs))
    const failures = unmet.filter((each) => each !== null)
    return failures.length > 0 ? { state: 'FAILED', unmet: failures } : { state: 'COMPLETED' }
  } catch (error) {
    if (error instanceof RunError) return { state: 'ERROR', reason: error }
    throw error
  }
}

export function kindOf(step: Step): StepKindName {
  const name = Object.keys(step).find(isStepKindName)
  if (!name) throw new TypeError(`Step ${step.id} has no kind`) // the schema asks for one
  return name
}

function start<Name extends StepKindName>(kind: Name, step: Step, context: StepContext) {
  const all: { [Each in StepKindName]?: StepSettings[Each] } = step
  const settings = all[kind]
  if (!settings) throw new TypeError(`Step ${step.id} has no settings`)
  return STEP_KINDS[kind].run(settings, context)
}

const expectationsOf = ({ expect = [] }: Step) => expect
