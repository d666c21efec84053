import { CoverageBasesDocument, ExecutionCoverageDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { ago, plural } from '../ui/format.ts'
import { Empty } from '../ui/parts.tsx'
import { lookOf } from '../ui/state.tsx'
import { type Covered, type LineLook, linesOf } from './coverage-change.ts'
import { TabRead } from './tab-read.tsx'
import type { Scenario } from './tree.ts'

interface CoverageProps {
  root: Scenario
  /** Id of the execution to compare with. */
  base: string | undefined
  onBase(id: string | undefined): void
}

/** The source of each component with the lines that ran, and how that differs from an earlier execution. */
export default function Coverage({ root: { id, state, contextId }, base, onBase }: CoverageProps) {
  const isRunning = state === 'RUNNING'
  const reading = useRead(ExecutionCoverageDocument, { id }, isRunning)
  const before = useRead(ExecutionCoverageDocument, { id: base ?? '' }, base === undefined).data
  if (isRunning) return <Empty icon="code" title="Coverage is measured until the end" />
  const compared = base === undefined ? undefined : before?.executionResult?.codeCoverage
  return (
    <TabRead reading={reading}>
      {(data) => {
        const components = data?.executionResult?.codeCoverage ?? []
        if (components.length === 0)
          return (
            <Empty icon="code" title="No coverage">
              <p>The scenario calls no component, or measures no coverage.</p>
            </Empty>
          )
        return (
          <>
            <Bases contextId={contextId} id={id} base={base} onBase={onBase} />
            {components.map((each) => (
              <Component
                key={each.componentName}
                covered={each}
                base={compared?.find(({ componentName }) => componentName === each.componentName)}
                isCompared={compared !== undefined}
              />
            ))}
          </>
        )
      }}
    </TabRead>
  )
}

/** Earlier executions to compare with. */
function Bases({
  contextId,
  id,
  base,
  onBase,
}: Omit<CoverageProps, 'root'> & { contextId: string; id: string }) {
  const { data } = useRead(CoverageBasesDocument, { context: contextId })
  const earlier = (data?.executionResults.nodes ?? []).filter((each) => each.id < id)
  return (
    <div className="row log-tools">
      <label className="row soft">
        Compare with
        <select
          className="input"
          value={base ?? ''}
          onChange={({ target }) => onBase(target.value || undefined)}
        >
          <option value="">{earlier.length > 0 ? 'no other execution' : 'nothing earlier'}</option>
          {earlier.map((each) => (
            <option key={each.id} value={each.id}>
              {`${lookOf(each.state).word}, ${ago(each.started, Date.now())}${percent(each.codeCoverage)}`}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

const percent = ([first]: readonly { coveragePercentage: number }[]): string =>
  first ? `, ${first.coveragePercentage} %` : ''

const WORDS: Readonly<Record<NonNullable<LineLook>, string>> = {
  hit: 'ran',
  missed: 'missed',
  'newly-hit': 'now runs',
  'newly-missed': 'no longer',
}

function Component({
  covered,
  base,
  isCompared,
}: {
  covered: Covered
  base: Covered | undefined
  isCompared: boolean
}) {
  const { componentName, coveragePercentage, hitLines, untouchedLines, sourceCode } = covered
  const lines = linesOf(covered, base)
  const numberOf = (look: LineLook) => lines.filter((line) => line.look === look).length
  return (
    <section className="stack">
      <div className="row body">
        <h2>{componentName}</h2>
        <strong className="number">{coveragePercentage} %</strong>
        <span className="under">
          {base
            ? `${base.coveragePercentage} % before: ${plural(numberOf('newly-hit'), 'line')} newly ran, ${numberOf('newly-missed')} newly missed`
            : isCompared
              ? 'not in the other execution'
              : `${plural(hitLines.length, 'line')} ran, ${untouchedLines.length} did not`}
        </span>
      </div>
      {sourceCode === null ? (
        <p className="body faint">You need the permission artifacts:read to see the source.</p>
      ) : (
        <div className="source" tabIndex={0} role="group" aria-label={`Source of ${componentName}`}>
          {lines.map(({ number, text, look }) => (
            <div key={number} className={`entry ${look ?? ''}`}>
              <span className="number">{number}</span>
              <span className="mark">{look && WORDS[look]}</span>
              <span className="text">{text}</span>
            </div>
          ))}
        </div>
      )}
    </section>
  )
}
