import type { ExecutionInterval, ExecutionsOverTimeQuery } from '../graph/generated.ts'
import { Bars } from '../ui/columns.tsx'
import { duration, endInTime, percent, placeInTime, plural } from '../ui/format.ts'
import { Card } from '../ui/parts.tsx'

type Statistics = ExecutionsOverTimeQuery['executionStatistics']
type Bucket = Statistics['buckets'][number]

/** Pass rate and duration over time. */
export const OverTime = ({
  statistics,
  interval,
  to,
}: {
  /** As soon as it is known. */
  statistics: Statistics | undefined
  interval: ExecutionInterval
  /** End of the range; null where it goes on. */
  to: string | null
}) => {
  const { buckets, passRate, durationP50Ms, durationP95Ms } = statistics ?? NONE
  const placeOf = ({ start }: Bucket) => placeInTime(start, interval)
  const end = endInTime(to, interval)
  const from = buckets[0] ? placeOf(buckets[0]) : ''
  return (
    <div className="two">
      <Card
        title="Executions"
        aside={<span className="under number">{percent(passRate)} passed</span>}
      >
        <div className="body">
          <Bars
            label="Executions"
            from={from}
            to={end}
            bars={buckets.map((each) => ({
              key: each.start,
              parts: [
                { value: each.running, tone: 'quiet' },
                { value: each.error, tone: 'warn' },
                { value: each.failed, tone: 'bad' },
                { value: each.completed, tone: 'good' },
              ],
              title: `${placeOf(each)}: ${plural(each.total, 'execution')}, ${percent(each.passRate)} passed`,
            }))}
          />
        </div>
      </Card>
      <Card
        title="Median duration"
        aside={
          durationP50Ms !== null &&
          durationP95Ms !== null && (
            <span className="under number">
              {duration(durationP50Ms)}, 95 % within {duration(durationP95Ms)}
            </span>
          )
        }
      >
        <div className="body">
          <Bars
            label="Milliseconds"
            hasSum={false}
            from={from}
            to={end}
            bars={buckets.map((each) => ({
              key: each.start,
              parts: [{ value: each.durationP50Ms ?? 0 }],
              title: `${placeOf(each)}: ${each.durationP50Ms === null ? 'none' : duration(each.durationP50Ms)}`,
            }))}
          />
        </div>
      </Card>
    </div>
  )
}

const NONE = { buckets: [], passRate: null, durationP50Ms: null, durationP95Ms: null }
