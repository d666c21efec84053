import { ExecutionCoverageDocument } from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { plural } from '../ui/format.ts'
import { Empty, Loading, Problem } from '../ui/parts.tsx'

/** The source of each component with the lines that ran. */
export default function Coverage({ id, isRunning }: { id: string; isRunning: boolean }) {
  const { data, error, isLoading, reload } = useRead(ExecutionCoverageDocument, { id }, isRunning)
  if (isRunning) return <Empty icon="code" title="Coverage is measured until the end" />
  if (error) return <Problem message={error} retry={reload} />
  if (isLoading)
    return (
      <div className="body">
        <Loading />
      </div>
    )
  const components = data?.executionResult?.codeCoverage ?? []
  if (components.length === 0)
    return (
      <Empty icon="code" title="No coverage">
        <p>The scenario calls no component, or measures no coverage.</p>
      </Empty>
    )
  return components.map(
    ({ componentName, coveragePercentage, hitLines, untouchedLines, sourceCode }) => {
      const hit = new Set(hitLines)
      const missed = new Set(untouchedLines)
      return (
        <section key={componentName} className="stack">
          <div className="row body">
            <h2>{componentName}</h2>
            <strong className="number">{coveragePercentage} %</strong>
            <span className="under">
              {plural(hitLines.length, 'line')} ran, {missed.size} did not
            </span>
          </div>
          {sourceCode === null ? (
            <p className="body faint">You need the permission artifacts:read to see the source.</p>
          ) : (
            <div
              className="source"
              tabIndex={0}
              role="group"
              aria-label={`Source of ${componentName}`}
            >
              {sourceCode.split('\n').map((text, index) => {
                const number = index + 1
                const look = hit.has(number) ? 'hit' : missed.has(number) ? 'missed' : ''
                return (
                  <div key={number} className={`entry ${look}`}>
                    <span className="number">{number}</span>
                    <span className="mark">
                      {look === 'hit' ? 'ran' : look === 'missed' ? 'missed' : ''}
                    </span>
                    <span className="text">{text}</span>
                  </div>
                )
              })}
            </div>
          )}
        </section>
      )
    },
  )
}
