import { Link } from '@tanstack/react-router'
import { useMay } from '../app/account.tsx'
import { Run } from '../executions/run.tsx'
import { RunWith } from '../executions/run-with.tsx'
import { change } from '../graph/client.ts'
import {
  DeleteScheduleDocument,
  ScheduleDetailDocument,
  UpdateScheduleDocument,
} from '../graph/generated.ts'
import { Button, Card, Fact } from '../ui/parts.tsx'
import { Ago } from '../ui/time.tsx'
import { attempt } from '../ui/toasts.tsx'
import { ArtifactFact, ArtifactPage, RevisionFacts } from './artifact-page.tsx'
import { KINDS, StoredArtifact } from './reading.tsx'
import { draftOfSchedule, inputOfSchedule, type Schedule } from './schedule-draft.ts'
import { NextRun } from './schedule-times.tsx'

/** A schedule: when it runs next, and how its last run went. */
export default function SchedulePage() {
  return (
    <StoredArtifact kind={KINDS.schedule} document={ScheduleDetailDocument}>
      {(schedule) => <Shown schedule={schedule} />}
    </StoredArtifact>
  )
}

function Shown({ schedule }: { schedule: Schedule }) {
  const { target, environment, nextRuns, lastRunAt, lastResultId, failure } = schedule
  const input = inputOfSchedule(draftOfSchedule(schedule))
  const { name: _, description: __, ...attributes } = input
  const isSuite = target.__typename === 'Suite'
  return (
    <ArtifactPage
      kind={KINDS.schedule}
      artifact={schedule}
      attributes={attributes}
      remove={DeleteScheduleDocument}
      actions={
        <>
          <PauseButton schedule={schedule} />
          <RunWith contextId={target.id} isSuite={isSuite} />
          <Run contextId={target.id} look="primary" />
        </>
      }
      facts={
        <>
          <Fact name="Times">
            <span className="mono">{schedule.cron}</span> {schedule.timeZone}
          </Fact>
          <ArtifactFact
            name={isSuite ? 'Suite' : 'Scenario'}
            kind={isSuite ? KINDS.suite : KINDS.scenario}
            of={target}
          />
          <ArtifactFact name="Environment" kind={KINDS.environment} of={environment} />
          <Fact name="Runs with the rights of">{schedule.storedBy}</Fact>
          <RevisionFacts {...schedule} />
        </>
      }
    >
      {failure && (
        <div className="notice bad" role="alert">
          {failure}
        </div>
      )}
      <div className="two">
        <Card title="Next runs">
          <ul className="stack body tight">
            {nextRuns.length === 0 && <li className="faint">None: it is not enabled</li>}
            {nextRuns.map((at) => (
              <li key={at}>
                <NextRun at={at} />
              </li>
            ))}
          </ul>
        </Card>
        <Card title="Last run">
          <div className="body">
            {lastRunAt && lastResultId ? (
              <Link to="/executions/$id" params={{ id: lastResultId }}>
                <Ago at={lastRunAt} />
              </Link>
            ) : (
              <span className="faint">It has not run yet</span>
            )}
          </div>
        </Card>
      </div>
    </ArtifactPage>
  )
}

function PauseButton({ schedule }: { schedule: Schedule }) {
  const mayWrite = useMay('artifacts:write')
  const { id, revision, enabled } = schedule
  const set = () =>
    attempt(async () => {
      const input = { ...inputOfSchedule(draftOfSchedule(schedule)), id, enabled: !enabled }
      await change(UpdateScheduleDocument, { input: { ...input, revision: [revision] } })
    })
  return mayWrite && <Button onClick={set}>{enabled ? 'Pause' : 'Enable'}</Button>
}
