import { setTimeout } from 'node:timers/promises'
import { inSpan } from '../../platform/tracing/trace.ts'
import type { Judged, Judgement } from '../evaluation/tasks.ts'
import { canonicalPath, type Expectation, select, type Unmet } from '../expectations/expectation.ts'
import type { Condition, Step } from '../scenario/step.ts'
import { kindNameOf, kindOf, settingsOf } from '../scenario/step-settings.ts'
import { createInsertBudget, fillIn } from '../scenario/template.ts'
import type { ImpliedExpectation } from '../steps/step-kind.ts'
import { inLanes, merged, type RunContext } from './context.ts'
import { RunError, type RunErrorCode } from './error.ts'
import { noEvidence } from './evidence.ts'
import type { StepLocation } from './journal.ts'
import { reasonOf, withDeadline } from './limits.ts'
import type { Outcome, ValidationFailure } from './outcome.ts'

/**
 * Runs steps in order. One that is ERROR ends them, as its state is unknown; one that is FAILED does so only with
 * `haltAtFailure`.
 * @param toTheEnd runs all of them, whatever happens
 */
export async function runSteps(
  steps: readonly Step[],
  context: RunContext,
  { toTheEnd = false } = {},
): Promise<Outcome> {
  const { haltAtFailure = false } = context.planned.scenario
  const outcomes: Outcome[] = []
  for (const [at, step] of steps.entries()) {
    const outcome = await runOne(step, context)
    outcomes.push(outcome)
    const halts = outcome.fault !== null || (haltAtFailure && outcome.failures.length > 0)
    if (!halts || toTheEnd) continue
    skip(steps.slice(at + 1), context)
    break
  }
  return merged(outcomes)
}

/** Runs all of them, a limited number at a time. */
export const runInParallel = async (
  steps: readonly Step[],
  context: RunContext,
  maxParallel: number,
): Promise<Outcome> => merged(await inLanes(steps, maxParallel, (step) => runOne(step, context)))

export function skip(steps: readonly Step[], context: RunContext): void {
  const message = 'The scenario ended before this step'
  for (const step of steps)
    context.run.journal.add(locationOf(step, context), { state: 'SKIPPED', durationMs: 0, message })
}

async function runOne(step: Step, context: RunContext): Promise<Outcome> {
  const { journal } = context.run
  const location = locationOf(step, context)
  const end = journal.begin(location)
  const evidence = noEvidence()
  const verdict = await inSpan(`step ${location.kind}`, {}, async (span) => {
    const ended = await runStep(step, { ...context, evidence })
    span?.set({ 'assay.state': ended.state })
    return ended
  })
  const counts = step.optional !== true || context.signal.aborted
  const errorCode = counts && verdict.state === 'ERROR' ? verdict.reason.code : null
  end(verdict.state, messageOf(verdict), { evidence, errorCode, isOptional: !counts })
  if (!counts || verdict.state === 'COMPLETED' || verdict.state === 'SKIPPED')
    return { failures: [], fault: null }
  if (verdict.state === 'ERROR') return { failures: verdict.nested, fault: verdict.reason }
  const own = verdict.unmet.map((unmet) => journal.failure(unmet, location))
  return { failures: [...own, ...verdict.nested], fault: null }
}

const locationOf = (step: Step, { within, datasetRow }: RunContext): StepLocation => ({
  id: step.id,
  within,
  name: step.name ?? step.id,
  kind: kindNameOf(step),
  datasetRow,
})

/** Verdict of a step, and the reason if it is not COMPLETED. */
type StepVerdict =
  | { state: 'COMPLETED' }
  | { state: 'SKIPPED'; message: string }
  | {
      state: 'FAILED'
      unmet: (Omit<Unmet, 'assert'> & Pick<ValidationFailure, 'assert'>)[]
      nested: ValidationFailure[]
    }
  | { state: 'ERROR'; reason: RunError; nested: ValidationFailure[] }

/** Shorter waits are over before they are read. */
const NOTICED_MS = 1_000

/** Runs a step with its retries, each try under its own time limit. Throws only on faults of the product. */
async function runStep(step: Step, context: RunContext): Promise<StepVerdict> {
  const { count, delayMs = 0 } = step.retries ?? { count: 0 }
  try {
    if (!(await holds(step.if, context)))
      return { state: 'SKIPPED', message: 'Its condition does not hold' }
    for (let retry = 1; ; retry += 1) {
      const tried = await inTurn(step, context)
      const verdict = step.negative === true ? inverted(tried, context.signal) : tried
      if (verdict.state === 'COMPLETED' || retry > count || context.signal.aborted) return verdict
      if (isHopeless(verdict)) return verdict
      const next = `retry ${retry} of ${count}: ${messageOf(verdict)}`
      context.run.log.note('WARN', `Step ${step.id} ${verdict.state}, ${next}`)
      if (delayMs >= NOTICED_MS)
        context.run.journal.waits(
          locationOf(step, context),
          `${verdict.state}. ${delayMs / 1_000} s before ${next}`,
        )
      await withDeadline(context.signal, null, step.id, (signal) =>
        setTimeout(delayMs, undefined, { signal }),
      )
      context.run.journal.forget([...context.within, step.id], 'test')
    }
  } catch (error) {
    return asVerdict(error)
  }
}

/** Why it is not COMPLETED, in words; empty where it is. */
function messageOf(verdict: StepVerdict): string {
  if (verdict.state === 'ERROR') return verdict.reason.message
  if (verdict.state === 'SKIPPED') return verdict.message
  if (verdict.state === 'COMPLETED') return ''
  const [first, ...more] = [...verdict.unmet, ...verdict.nested]
  return `${first?.message}${more.length > 0 ? ` (and ${more.length} more)` : ''}`
}

const SENDERS: ReadonlySet<string | null> = new Set(['HTTP', 'GRAPHQL'])

/** The time of waiting for its turn is none of the step's time limit. */
const inTurn = (step: Step, context: RunContext): Promise<StepVerdict> =>
  SENDERS.has(kindOf(step).runner)
    ? context.run.requests.run(() => attempt(step, context), { signal: context.signal })
    : attempt(step, context)

async function attempt(step: Step, context: RunContext): Promise<StepVerdict> {
  const { defaultTimeoutMs, implied = [], run } = kindOf(step)
  const timeoutMs = step.timeoutMs ?? defaultTimeoutMs
  if (context.evidence) {
    context.evidence.attempts += 1
    context.evidence.exchange = null
    context.evidence.call = null
  }
  try {
    const started = performance.now()
    const output = await withDeadline(context.signal, timeoutMs, `Step ${step.id}`, (signal) => {
      const inner = { ...context, signal }
      return run(settingsOf(step, inner) as never, context.run.contextOf(step, inner)) // its schema was checked
    })
    const durationMs = Math.round(performance.now() - started)
    const { failures = [], fault = null } = output.nested ?? {}
    const given = [...(step.expect ?? []), ...unsaid(step, implied)]
    const { unmet, captured } = await judged(
      {
        expectations: filledIn(given, context),
        given,
        result: output.result,
        durationMs,
        ...(step.capture && !fault && failures.length === 0 ? { captures: step.capture } : {}),
      },
      context,
    )
    if (fault) return { state: 'ERROR', reason: fault, nested: failures }
    if (unmet.length + failures.length > 0) return { state: 'FAILED', unmet, nested: failures }
    context.run.captures.keep(captured, context.scope.capture)
    if (context.evidence) context.evidence.captures = captured
    return { state: 'COMPLETED' }
  } catch (error) {
    return asVerdict(error)
  }
}

function asVerdict(error: unknown): StepVerdict {
  if (error instanceof RunError) return { state: 'ERROR', reason: error, nested: [] }
  throw error
}

async function holds(condition: Condition | undefined, context: RunContext): Promise<boolean> {
  if (condition === undefined) return true
  // The author decides which of both it is, and not the value that a template becomes.
  if (typeof condition !== 'object') {
    const filled = fillIn<unknown>(condition, context.scope)
    return Boolean(filled) && filled !== 'false'
  }
  const { actual: result, ...expectation } = fillIn(condition, context.scope)
  const { unmet } = await judged(
    { expectations: [expectation], given: [condition], result },
    context,
  )
  return unmet.length === 0
}

const judged = (judgement: Judgement, { planned, run, signal }: RunContext): Promise<Judged> =>
  run.judge(
    {
      ...judgement,
      ignoreCase: planned.scenario.caseInsensitiveCompare ?? false,
      masked: run.mask.shapes,
    },
    signal,
  )

/** A path is no template. */
const filledIn = (expectations: readonly Expectation[], { scope }: RunContext): Expectation[] => {
  const budget = createInsertBudget()
  return expectations.map(({ path, ...rest }) => ({
    ...fillIn(rest, scope, budget),
    ...(path === undefined ? {} : { path }),
  }))
}

/** Expectations of the kind itself, where the step has none about the same thing. */
const unsaid = (
  { expect = [], capture = {} }: Step,
  implied: readonly ImpliedExpectation[],
): Expectation[] =>
  implied
    .filter(({ path = '$', saidBy = [] }) => {
      const subject = canonicalPath(path)
      const isBelow = (given: string) => subject !== '$' && canonicalPath(given).startsWith(subject)
      const isAbout = ({ assert: by, path: at = '$', value }: Expectation) => {
        if (saidBy.includes(by)) return true
        if (subject !== '$' && canonicalPath(at) !== '$') return isBelow(at)
        // Only these look at the result as a whole: others, `exists` say, look at none of its parts.
        return by === 'equals' || (by === 'contains' && select(path, value).isThere)
      }
      return !Object.values(capture).some(isBelow) && !expect.some(isAbout)
    })
    .map(({ saidBy: _, ...expectation }) => expectation)

/** It would take as much again. */
const isHopeless = (verdict: StepVerdict): boolean =>
  verdict.state === 'ERROR' && verdict.reason.code === 'EXPECTATION_TOO_SLOW'

/** Errors that a test can be after; all others say that the test itself could not be run. */
const OF_THE_TESTED: ReadonlySet<RunErrorCode> = new Set([
  ...(['TIMEOUT', 'SCRIPT_ERROR', 'SYNTAX_ERROR', 'NO_SUCH_FUNCTION', 'FORBIDDEN'] as const),
  ...(['RESULT_NOT_JSON', 'MEMORY_LIMIT', 'CPU_LIMIT', 'OUTPUT_LIMIT', 'MESSAGE_LIMIT'] as const),
  ...(['CRASHED', 'UNREACHABLE', 'INVALID_RESPONSE', 'REPORTED_ERROR'] as const),
])

function inverted(verdict: StepVerdict, signal: AbortSignal): StepVerdict {
  // The end of what is around the step says nothing about what it tests.
  if (signal.aborted) return { state: 'ERROR', reason: reasonOf(signal), nested: [] }
  if (verdict.state === 'FAILED') return { state: 'COMPLETED' }
  if (verdict.state === 'ERROR')
    return OF_THE_TESTED.has(verdict.reason.code) ? { state: 'COMPLETED' } : verdict
  const message = 'Expected that the step does not succeed, but it does'
  const expectation = { name: 'negative', path: '$', assert: 'negative' as const }
  const values = { expectedValue: null, actualValue: null }
  return { state: 'FAILED', unmet: [{ ...expectation, ...values, message }], nested: [] }
}
