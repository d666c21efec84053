import { Link } from '@tanstack/react-router'
import { Run } from '../executions/run.tsx'
import type { OverviewQuery } from '../graph/generated.ts'
import { Empty } from '../ui/parts.tsx'

/** First steps of a newcomer. */
export const Welcome = ({ data }: { data: OverviewQuery }) => {
  const [suite] = data.suites.nodes
  return (
    <section className="card">
      <Empty icon="play" title="Nothing was executed yet">
        {suite ? (
          <>
            <p>
              Run the suite{' '}
              <Link to="/repository/suites/$id" params={{ id: suite.id }}>
                {suite.name}
              </Link>{' '}
              and watch its steps as they run. What failed shows what was expected beside what was
              there. Then change the component, and run it again.
            </p>
            <p>
              A <Link to="/repository/schedules">schedule</Link> runs it at night, and a{' '}
              <Link to="/repository/triggers">trigger</Link> for a push or an event.
            </p>
            <Run contextId={suite.id} label={`Run ${suite.name}`} look="primary" />
          </>
        ) : (
          <p>
            Create a scenario in the <Link to="/repository/scenarios">repository</Link> and run it.
          </p>
        )}
      </Empty>
    </section>
  )
}
