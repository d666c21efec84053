import { keepApart } from '../../formats/coverage/locate-files.ts'

/** Coverage of one component: executable lines only, as the user wrote them. */
export interface CodeCoverage {
  componentName: string
  /** `round(100 * hit / (hit + untouched))`; 100 where there is nothing to run. */
  coveragePercentage: number
  level: 'LINE'
  tags: string[]
  sourceCode: string
  hitLines: number[]
  untouchedLines: number[]
  /** Number of executions of the component that are merged here. */
  executionCount: number
}

/** Coverage of a run; of a file that a report names, with `reportFolder` as of `LocatedFile`. */
export type MeasuredCoverage = CodeCoverage & { reportFolder?: string | null }

/** A line is executable when a statement starts on it, and hit when one of those ran. */
export function lineCoverage(
  component: { name: string; sourceCode: string },
  statementLines: readonly number[],
  hitStatements: ReadonlySet<number>,
): CodeCoverage {
  const hit = new Set(statementLines.filter((_, statement) => hitStatements.has(statement)))
  const untouched = new Set(statementLines.filter((line) => !hit.has(line)))
  return {
    componentName: component.name,
    coveragePercentage: percentage(hit.size, untouched.size),
    level: 'LINE',
    tags: [],
    sourceCode: component.sourceCode,
    hitLines: ascending(hit),
    untouchedLines: ascending(untouched),
    executionCount: 1,
  }
}

/** Several executions of the same source: a line is hit when one of them hit it. Elements of other sources stay apart. */
export function mergeCoverage(all: readonly CodeCoverage[]): CodeCoverage[] {
  const merged = collectCoverage(() => true)
  for (const next of all) merged.add(next)
  return merged.all()
}

/** Size that something adds to merged coverage. */
export interface CoverageSize {
  files: number
  /** Executable ones. */
  lines: number
  /** Characters of names and sources. */
  text: number
}

/** Merges as it comes. @param hasPlace decides whether it is kept */
export function collectCoverage(hasPlace: (added: CoverageSize) => boolean) {
  const merged = new Map<string, MeasuredCoverage>()
  return {
    add(next: MeasuredCoverage): void {
      const { componentName, sourceCode, reportFolder } = next
      const key = JSON.stringify([componentName, sourceCode, reportFolder])
      const known = merged.get(key)
      const both = known ? union(known, next) : next
      const added = known
        ? { files: 0, lines: linesOf(both) - linesOf(known), text: 0 }
        : { files: 1, lines: linesOf(both), text: componentName.length + sourceCode.length }
      if (hasPlace(added)) merged.set(key, both)
    },
    all: (): CodeCoverage[] => keepApart([...merged.values()]),
  }
}

const linesOf = ({ hitLines, untouchedLines }: CodeCoverage) =>
  hitLines.length + untouchedLines.length

export const percentage = (hit: number, untouched: number): number =>
  hit + untouched === 0 ? 100 : Math.round((100 * hit) / (hit + untouched))

function union(a: MeasuredCoverage, b: CodeCoverage): MeasuredCoverage {
  const hit = new Set([...a.hitLines, ...b.hitLines])
  const untouched = new Set(
    [...a.untouchedLines, ...b.untouchedLines].filter((line) => !hit.has(line)),
  )
  return {
    ...a,
    coveragePercentage: percentage(hit.size, untouched.size),
    tags: [...new Set([...a.tags, ...b.tags])],
    hitLines: ascending(hit),
    untouchedLines: ascending(untouched),
    executionCount: a.executionCount + b.executionCount,
  }
}

const ascending = (lines: Iterable<number>) => [...lines].sort((a, b) => a - b)
