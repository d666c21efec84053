import { hash } from 'node:crypto'
import type { StepResult, ValidationFailure } from '../../../../runner/run/run-scenario.ts'
import type { Execution } from '../execution.entity.ts'
import type { Cause, Ending } from '../execution.ts'
import { withoutValues } from './without-values.ts'

/** Statuses by which a service, and not a request, is at fault. */
const OF_SERVICE: ReadonlySet<number> = new Set([401, 403, 407, 429])

/** Error codes by which a server is at fault. */
const UNANSWERED: ReadonlySet<string> = new Set(['UNREACHABLE', 'TIMEOUT', 'INVALID_RESPONSE'])

/** Error codes by which a component is at fault, whichever step called it. */
const OF_COMPONENT: ReadonlySet<string> = new Set([
  ...['SCRIPT_ERROR', 'SYNTAX_ERROR', 'NO_SUCH_FUNCTION', 'RESULT_NOT_JSON', 'FORBIDDEN'],
  ...['MEMORY_LIMIT', 'CPU_LIMIT', 'CRASHED'],
])

type Failed = Pick<Execution, 'type' | 'startedBy' | 'revisions'>
type Ended = Pick<Ending, 'state' | 'message' | 'errorCode' | 'steps' | 'validationFailures'>

/**
 * The cause of a failure (ADR 95). A service that answers 503, or not at all, is one cause however scenarios notice it.
 * @returns null for a success, a cancel and a try of the editor, and for a suite, whose scenarios have causes
 */
export function causeOf({ type, startedBy, revisions }: Failed, ended: Ended): Cause | null {
  const { state, errorCode } = ended
  const isOfTool = errorCode === 'REPORTED_ERROR'
  if (state === 'COMPLETED' || errorCode === 'CANCELLED' || startedBy === 'EDITOR') return null
  if (type === 'SUITE' && !isOfTool) return null
  const failure = firstFailure(ended)
  const step = failure ? stepOf(failure, ended.steps) : erringStep(ended.steps)
  const message = withoutValues(failure?.message || step?.message || ended.message)
  const name = withoutValues(step?.name ?? '')
  const { exchange } = step ?? {}
  const status = exchange?.response?.status ?? 0
  const host = (exchange && hostOf(exchange.request.url)) || name
  if (failure?.assert === 'test' || isOfTool)
    return named({ fault: 'TEST', step: name, expectation: '', message }, message)
  if (failure && (status >= 500 || OF_SERVICE.has(status)))
    return named({ fault: `HTTP_${status}`, step: host, expectation: '', message }, '')
  if (failure) {
    const fault = status >= 400 ? `HTTP_${status}` : 'EXPECTATION'
    const expectation = `${failure.path} ${failure.assert}`
    return named({ fault, step: name, expectation, message }, '')
  }
  const fault = errorCode ?? 'FAILED'
  if (UNANSWERED.has(fault) && exchange)
    return named({ fault, step: host, expectation: '', message }, '')
  const components = revisions.filter(({ kind }) => kind === 'component')
  const place = OF_COMPONENT.has(fault) && components.length === 1 ? components[0]?.id : name
  return named({ fault, step: place ?? name, expectation: '', message }, message)
}

/** @param told the part of the message that the fingerprint has */
function named(cause: Omit<Cause, 'id'>, told: string): Cause {
  const { fault, step, expectation } = cause
  const id = hash('sha256', JSON.stringify([fault, step, expectation, told])).slice(0, 32)
  return { id, ...cause }
}

/** The expectation that was not met first; undefined where a step was an ERROR before. */
function firstFailure({ state, steps, validationFailures: [failure] }: Ended) {
  if (!failure || state === 'FAILED') return failure
  const erring = erringStep(steps)
  const failed = stepOf(failure, steps)
  const isBefore = failed && erring && steps.indexOf(failed) < steps.indexOf(erring)
  return isBefore ? failure : undefined
}

const stepOf = ({ stepId, stepPath }: ValidationFailure, steps: readonly StepResult[]) =>
  steps.find(({ id, path }) => (stepPath ? path === stepPath : id === stepId))

/** The first step that is an ERROR, without those around it: they are so because of it. */
function erringStep(steps: readonly StepResult[]): StepResult | undefined {
  let found: StepResult | undefined
  for (const step of steps)
    if (step.state === 'ERROR' && !step.isOptional && (!found || isWithin(step, found)))
      found = step
  return found
}

const isWithin = ({ id, path = id }: StepResult, around: StepResult): boolean =>
  path.startsWith(`${around.path ?? around.id}/`)

const hostOf = (url: string): string | undefined => URL.parse(url)?.host
