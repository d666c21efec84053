import { diffLines } from 'diff'
import type { ExecutionCoverageQuery } from '../graph/generated.ts'

export type Covered = NonNullable<ExecutionCoverageQuery['executionResult']>['codeCoverage'][number]

/** Change of a line: `new` where it ran before or now only; null for lines that are not executable. */
export type LineLook = 'hit' | 'missed' | 'newly-hit' | 'newly-missed' | null

export interface CoveredLine {
  number: number
  text: string
  look: LineLook
}

/** The lines of a component. @param base the same component in an earlier execution */
export function linesOf(covered: Covered, base: Covered | undefined): CoveredLine[] {
  const source = covered.sourceCode ?? ''
  const [hit, missed] = [new Set(covered.hitLines), new Set(covered.untouchedLines)]
  const before = base && stateBefore(base, source)
  return source.split('\n').map((text, index) => {
    const number = index + 1
    const was = before?.get(number)
    const look = hit.has(number)
      ? was === 'missed'
        ? 'newly-hit'
        : 'hit'
      : missed.has(number)
        ? was === 'hit'
          ? 'newly-missed'
          : 'missed'
        : null
    return { number, text, look }
  })
}

/** Earlier coverage of the lines of a source; a line that changed has no before. */
function stateBefore(base: Covered, source: string): Map<number, 'hit' | 'missed'> {
  const state = new Map<number, 'hit' | 'missed'>()
  const [hit, missed] = [new Set(base.hitLines), new Set(base.untouchedLines)]
  let [earlier, later] = [1, 1]
  for (const { count, added, removed } of diffLines(base.sourceCode ?? '', source)) {
    if (!added && !removed)
      for (let i = 0; i < count; i++) {
        if (hit.has(earlier + i)) state.set(later + i, 'hit')
        else if (missed.has(earlier + i)) state.set(later + i, 'missed')
      }
    if (!added) earlier += count
    if (!removed) later += count
  }
  return state
}
