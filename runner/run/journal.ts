import { sizeOf } from '../../formats/json/values.ts'
import { currentTime } from '../../platform/process/clock.ts'
import type { Unmet } from '../expectations/expectation.ts'
import type { RunErrorCode } from './error.ts'
import { type Evidence, keptEvidence } from './evidence.ts'
import type { RunCount } from './limits.ts'
import type { RunLog } from './log.ts'
import { type Mask, sanitize, sanitizeText } from './mask.ts'
import type { RunUpdate, StepResult, ValidationFailure } from './outcome.ts'

/** Place in a scenario. */
export interface StepLocation {
  id: string
  /** Ids of what it stands in, from the outside. */
  within: readonly string[]
  name: string
  kind: string
  datasetRow: number | null
}

type EndState = Exclude<StepResult['state'], 'RUNNING'>

interface StepEnd {
  evidence?: Evidence
  errorCode?: RunErrorCode | null
  isOptional?: boolean
}

type FailureOf = Omit<Unmet, 'assert'> & Pick<ValidationFailure, 'assert'>

/** Results of the steps of a run, masked and in the order in which they began; each is announced as it happens. */
export function createJournal(
  mask: Mask,
  log: RunLog,
  count: Pick<RunCount, 'noteSteps' | 'noteFailure' | 'noteEvidence'>,
  onUpdate: (update: RunUpdate) => void,
) {
  const results = new Map<string, StepResult>()
  const clean = (text: string) => sanitizeText(mask.text(text))

  /** Keeps a copy of the announced result; earlier log lines are announced first. */
  const announce = (step: StepResult & { path: string }) => {
    results.set(step.path, step)
    count.noteSteps(results.size)
    count.noteFailure(step.message?.length ?? 0)
    log.flush()
    onUpdate({ kind: 'STEP', step })
  }
  const placed = ({ id, within, name, kind, datasetRow }: StepLocation) => ({
    id,
    path: [...within, id].join('/'),
    name: clean(name),
    kind,
    datasetRow,
  })

  return {
    results: (): StepResult[] => [...results.values()],
    /** @returns reports the end of the step; called again after each retry */
    begin(location: StepLocation) {
      const started = currentTime()
      const begun = performance.now()
      const running = { state: 'RUNNING', started, ended: null } as const
      announce({ ...placed(location), ...running, durationMs: null, message: null })
      return (
        state: EndState,
        text: string,
        { evidence, errorCode, isOptional = false }: StepEnd = {},
      ): void => {
        const isGood = state === 'COMPLETED' || state === 'SKIPPED'
        const message = clean(text)
        const ended = currentTime()
        // The clock of the machine may be set meanwhile, by years.
        const durationMs = Math.round(performance.now() - begun)
        const what = `${location.kind === 'row' ? 'Row' : 'Step'} ${placed(location).path}`
        log.note(
          isGood ? 'INFO' : 'ERROR',
          `${what} ${state} (${durationMs} ms)${message && `: ${message}`}`,
        )
        const kept = evidence && keptEvidence(evidence, isGood, mask, count)
        const times = { started, ended, durationMs }
        const code = errorCode && { errorCode }
        const optional = isOptional && { isOptional }
        announce({ ...placed(location), state, ...times, message, ...code, ...optional, ...kept })
      }
    },
    /** Adds a step that never ran, or that a tool ran on its own. */
    add(
      location: StepLocation,
      {
        state,
        durationMs,
        message,
        tries = [],
      }: Pick<StepResult, 'durationMs' | 'tries'> & { state: EndState; message: string },
    ): void {
      const now = currentTime()
      const started = new Date(now.getTime() - (durationMs ?? 0))
      const times = { started, ended: now, durationMs }
      for (const tried of tries) count.noteFailure(tried.message.length)
      const earlier = tries.map((each) => ({ ...each, message: clean(each.message) }))
      const tried = earlier.length > 0 && { attempts: earlier.length + 1, tries: earlier }
      announce({ ...placed(location), state, ...times, message: clean(message), ...tried })
    },
    /** Takes back what was added inside of something that is tried again. */
    forget(within: readonly string[], kind: string): void {
      const inside = `${within.join('/')}/`
      for (const [path, step] of results)
        if (step.kind === kind && path.startsWith(inside)) results.delete(path)
    },
    /** A failure as clients read it. */
    failure(unmet: FailureOf, { id, datasetRow }: StepLocation): ValidationFailure {
      count.noteFailure(sizeOf(unmet))
      return {
        ...unmet,
        name: clean(unmet.name),
        message: clean(unmet.message),
        path: clean(unmet.path),
        stepId: id,
        expectedValue: sanitize(mask.value(unmet.expectedValue)),
        actualValue: sanitize(mask.value(unmet.actualValue)),
        datasetRow,
      }
    },
  }
}

export type Journal = ReturnType<typeof createJournal>
