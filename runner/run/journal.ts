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
export class Journal {
  readonly #results = new Map<string, StepResult>()

  constructor(
    private readonly mask: Mask,
    private readonly log: RunLog,
    private readonly count: Pick<RunCount, 'noteSteps' | 'noteFailure' | 'noteEvidence'>,
    private readonly onUpdate: (update: RunUpdate) => void,
  ) {}

  results(): StepResult[] {
    return [...this.#results.values()]
  }

  /** @returns reports the end of the step; called again after each retry */
  begin(location: StepLocation) {
    const started = currentTime()
    const begun = performance.now()
    const running = { state: 'RUNNING', started, ended: null } as const
    this.#announce({ ...this.#placed(location), ...running, durationMs: null, message: null })
    return (state: EndState, text: string, end: StepEnd = {}): void => {
      // The clock of the machine may be set meanwhile, by years.
      const durationMs = Math.round(performance.now() - begun)
      this.#end(location, { state, message: this.#clean(text) }, { started, durationMs }, end)
    }
  }

  /** Says why a step that runs does not go on. */
  waits(location: StepLocation, text: string): void {
    const known = this.#results.get(this.#placed(location).path)
    if (known?.path) this.#announce({ ...known, path: known.path, message: this.#clean(text) })
  }

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
    for (const tried of tries) this.count.noteFailure(tried.message.length)
    const earlier = tries.map((each) => ({ ...each, message: this.#clean(each.message) }))
    const tried = earlier.length > 0 && { attempts: earlier.length + 1, tries: earlier }
    const said = { state, ...times, message: this.#clean(message) }
    this.#announce({ ...this.#placed(location), ...said, ...tried })
  }

  /** Takes back what was added inside of something that is tried again. */
  forget(within: readonly string[], kind: string): void {
    const inside = `${within.join('/')}/`
    for (const [path, step] of this.#results)
      if (step.kind === kind && path.startsWith(inside)) this.#results.delete(path)
  }

  /** A failure as clients read it. */
  failure(unmet: FailureOf, { id, datasetRow }: StepLocation): ValidationFailure {
    this.count.noteFailure(sizeOf(unmet))
    return {
      ...unmet,
      name: this.#clean(unmet.name),
      message: this.#clean(unmet.message),
      path: this.#clean(unmet.path),
      stepId: id,
      expectedValue: sanitize(this.mask.value(unmet.expectedValue)),
      actualValue: sanitize(this.mask.value(unmet.actualValue)),
      datasetRow,
    }
  }

  #end(
    location: StepLocation,
    { state, message }: { state: EndState; message: string },
    { started, durationMs }: { started: Date; durationMs: number },
    { evidence, errorCode, isOptional = false }: StepEnd,
  ): void {
    const isGood = state === 'COMPLETED' || state === 'SKIPPED'
    const placed = this.#placed(location)
    const what = `${location.kind === 'row' ? 'Row' : 'Step'} ${placed.path}`
    this.log.note(
      isGood ? 'INFO' : 'ERROR',
      `${what} ${state} (${durationMs} ms)${message && `: ${message}`}`,
    )
    const kept = evidence && keptEvidence(evidence, isGood, this.mask, this.count)
    const times = { started, ended: currentTime(), durationMs }
    const code = errorCode && { errorCode }
    const optional = isOptional && { isOptional }
    this.#announce({ ...placed, state, ...times, message, ...code, ...optional, ...kept })
  }

  /** Keeps a copy of the announced result; earlier log lines are announced first. */
  #announce(step: StepResult & { path: string }): void {
    this.#results.set(step.path, step)
    this.count.noteSteps(this.#results.size)
    this.count.noteFailure(step.message?.length ?? 0)
    this.log.flush()
    this.onUpdate({ kind: 'STEP', step })
  }

  #placed({ id, within, name, kind, datasetRow }: StepLocation) {
    return {
      id,
      path: [...within, id].join('/'),
      name: this.#clean(name),
      kind,
      datasetRow,
    }
  }

  #clean(text: string): string {
    return sanitizeText(this.mask.text(text))
  }
}
