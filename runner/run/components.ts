import { createHash } from 'node:crypto'
import {
  type CompiledComponent,
  type ComponentSource,
  compileComponent,
} from '../coverage/compile-component.ts'
import { type CodeCoverage, lineCoverage } from '../coverage/line-coverage.ts'
import type { Evaluation } from '../evaluation/evaluation.ts'
import type { ChildError } from '../sandbox/child-message.ts'
import type { ComponentProcess, ProcessListener } from '../sandbox/component-process.ts'
import { needsNode, type Sandbox } from '../sandbox/sandbox.ts'
import { RunError } from './error.ts'
import { explainError } from './explain-error.ts'
import { withDeadline } from './limits.ts'
import type { RunLog } from './log.ts'

/** The components of one row or scenario, each in a realm of its own that keeps its state between calls. */
export interface Components {
  /** Starts and loads a component before its first call. @throws RunError */
  load(component: ComponentSource, signal: AbortSignal): Promise<void>
  /** A component whose process has ended (its time was up, say) begins anew. @throws RunError */
  call(
    component: ComponentSource,
    name: string,
    args: unknown[],
    signal: AbortSignal,
  ): Promise<unknown>
  /** Ends the runs of all of them. @param isClean whether their processes may have other runs */
  stop(isClean: boolean): Promise<void>
}

export function createComponents({
  onCoverage,
  ...surroundings
}: Surroundings & { onCoverage: (coverage: CodeCoverage) => void }): Components {
  const sessions: {
    component: ComponentSource
    session: ReturnType<typeof openSession>
    loaded: Promise<void> | null
  }[] = []

  const open = (component: ComponentSource) => {
    const known = sessions.find((each) => isSameComponent(each.component, component))
    if (known) return known
    const session = openSession(component, surroundings)
    const opened = { component, session, loaded: null }
    sessions.push(opened)
    return opened
  }
  const load: Components['load'] = async (component, signal) => {
    const opened = open(component)
    if (opened.session.restartIfEnded()) opened.loaded = null
    opened.loaded ??= withDeadline(
      signal,
      opened.session.loadMs,
      `Loading the component ${component.name}`,
      (inTime) => opened.session.load(inTime),
    )
    await opened.loaded
  }
  return {
    load,
    async call(component, name, args, signal) {
      await load(component, signal)
      return open(component).session.call(name, args, signal)
    },
    async stop(isClean) {
      const all = sessions.map(({ session }) => session)
      await Promise.all(all.map((session) => session.stop(isClean)))
      for (const session of all) {
        const coverage = session.coverage()
        if (coverage) onCoverage(coverage)
      }
    },
  }
}

/** Components that are not stored may have one name. A source that is under test and called by its id, too, is one. */
export const isSameComponent = (one: ComponentSource, other: ComponentSource): boolean =>
  one.name === other.name && one.language === other.language && one.sourceCode === other.sourceCode

/** Enough for retries and teardown. A scenario that ends more processes keeps the last end as its reason. */
const MAX_RESTARTS = 10

/** Surroundings that all components of a run share. */
export interface Surroundings {
  sandbox: Sandbox
  log: RunLog
  evaluation: Evaluation
  useCodeCoverage: boolean
  /** Whose runs may share a process. */
  owner: string
}

/**
 * A component of a scenario, alive: its process, and which of its statements ran.
 * Starts the process at once, so that it boots while the component compiles. What is wrong shows in `load`.
 */
function openSession(
  component: ComponentSource,
  { sandbox, log, evaluation, useCodeCoverage, owner }: Surroundings,
) {
  const { loadMs, sourceBytes } = sandbox.limits
  const hits = new Set<number>()
  const key = needsNode(component.sourceCode)
    ? null
    : digest([owner, component.name, component.language, component.sourceCode, useCodeCoverage])
  let compiled: CompiledComponent | null = null
  const listener: ProcessListener = {
    onLog: (level, text) => log.write(level, component.name, text),
    onHits: (statements) => {
      const count = compiled?.statementLines.length ?? 0
      for (const statement of statements) if (statement < count) hits.add(statement)
    },
  }
  const start = () => sandbox.start(listener, key)
  let process = start()
  let restarts = 0
  return {
    loadMs,
    call: (...call: Parameters<ComponentProcess['call']>) => process.call(...call),
    stop: (isClean: boolean) => process.stop(isClean),
    /** @returns whether there is a new process, to be loaded */
    restartIfEnded(): boolean {
      if (!process.hasEnded() || restarts === MAX_RESTARTS) return false
      restarts += 1
      process = start()
      return true
    },
    /** Compiles and evaluates the component. @throws RunError */
    async load(signal: AbortSignal): Promise<void> {
      if (Buffer.byteLength(component.sourceCode) > sourceBytes) {
        const message = `The source of ${component.name} is larger than ${sourceBytes} bytes`
        throw new RunError('MESSAGE_LIMIT', message)
      }
      compiled = await compileComponent(component, useCodeCoverage, evaluation, signal)
      const { code, coverageVariable, lineOf } = compiled
      const explain = (error: ChildError) => explainError(error, { name: component.name, lineOf })
      await process.load({ code, coverageVariable, explain }, signal)
    },
    /** Null before the component was compiled, and where coverage is not wanted. */
    coverage: (): CodeCoverage | null =>
      compiled && useCodeCoverage ? lineCoverage(component, compiled.statementLines, hits) : null,
  }
}

/** Digest of values that are compared as a whole, secrets among them. */
export const digest = (values: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(values)).digest('hex')
