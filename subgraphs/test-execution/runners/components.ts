import { type ComponentSession, openSession, type Surroundings } from './component-session.ts'
import type { ComponentSource } from './coverage/compile-component.ts'
import type { CodeCoverage } from './coverage/line-coverage.ts'
import { withDeadline } from './deadline.ts'

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
  const sessions = new Map<string, { session: ComponentSession; loaded: Promise<void> | null }>()

  const open = (component: ComponentSource) => {
    const known = sessions.get(component.name)
    if (known) return known
    const session = openSession(component, surroundings)
    const opened = { session, loaded: null }
    sessions.set(component.name, opened)
    return opened
  }
  const load: Components['load'] = async (component, signal) => {
    const opened = open(component)
    if (opened.session.restartIfEnded()) opened.loaded = null
    opened.loaded ??= withDeadline(
      signal,
      opened.session.loadMs,
      'Loading the component',
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
      const all = [...sessions.values()].map(({ session }) => session)
      await Promise.all(all.map((session) => session.stop(isClean)))
      for (const session of all) {
        const coverage = session.coverage()
        if (coverage) onCoverage(coverage)
      }
    },
  }
}
