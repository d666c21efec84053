import { Link } from '@tanstack/react-router'
import type { ExecutionRowFragment } from '../graph/generated.ts'
import { Bars } from '../ui/columns.tsx'
import { duration, exactTime } from '../ui/format.ts'
import { Card, Empty } from '../ui/parts.tsx'
import { lookOf, StateBadge } from '../ui/state.tsx'
import { Ago, Took } from '../ui/time.tsx'
import { Marks } from './marks.tsx'
import { stateOf } from './search.ts'

export const tookMs = ({ started, ended }: ExecutionRowFragment) =>
  ended ? Date.parse(ended) - Date.parse(started) : 0

/** The last executions of a scenario or suite. */
export const History = ({
  results,
  contextId,
}: {
  results: readonly ExecutionRowFragment[]
  contextId: string
}) => (
  <Card
    title="Executions"
    aside={
      <Link to="/trends" search={{ context: contextId }}>
        Trend
      </Link>
    }
  >
    {results.length === 0 ? (
      <Empty icon="play" title="It has not run yet" />
    ) : (
      <>
        <div className="body">
          <Bars
            label="Milliseconds of the executions"
            from="older"
            to="now"
            bars={results.toReversed().map((each) => ({
              key: each.id,
              parts: [{ value: tookMs(each), tone: lookOf(stateOf(each)).tone }],
              title: `${lookOf(stateOf(each)).word}, ${duration(tookMs(each))}, ${exactTime(each.started)}`,
            }))}
          />
        </div>
        <ul className="stack body tight">
          {results.slice(0, 10).map((each) => (
            <li key={each.id} className="row">
              <Link to="/executions/$id" params={{ id: each.id }}>
                <StateBadge state={stateOf(each)} />
              </Link>
              <Marks of={each} />
              <span className="under">
                <Ago at={each.started} />, took <Took of={each} />
              </span>
            </li>
          ))}
        </ul>
      </>
    )}
  </Card>
)
