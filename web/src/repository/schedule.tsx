import { change } from '../graph/client.ts'
import {
  DeleteScheduleDocument,
  ScheduleDetailDocument,
  UpdateScheduleDocument,
} from '../graph/generated.ts'
import { Card, Fact } from '../ui/parts.tsx'
import { KINDS, StoredArtifact } from './reading.tsx'
import { draftOfSchedule, inputOfSchedule } from './schedule-draft.ts'
import { NextRun } from './schedule-times.tsx'
import { UnattendedPage } from './unattended.tsx'

/** A schedule: when it runs next, and how its last run went. */
export default function SchedulePage() {
  return (
    <StoredArtifact kind={KINDS.schedule} document={ScheduleDetailDocument}>
      {(schedule) => (
        <UnattendedPage
          kind={KINDS.schedule}
          artifact={schedule}
          input={inputOfSchedule(draftOfSchedule(schedule))}
          setEnabled={(enabled) => {
            const { id, revision } = schedule
            const input = inputOfSchedule({ ...draftOfSchedule(schedule), enabled })
            return change(UpdateScheduleDocument, { input: { ...input, id, revision: [revision] } })
          }}
          remove={DeleteScheduleDocument}
          facts={
            <Fact name="Times">
              <span className="mono">{schedule.cron}</span> {schedule.timeZone}
            </Fact>
          }
        >
          <Card title="Next runs">
            <ul className="stack body tight">
              {schedule.nextRuns.length === 0 && <li className="faint">None: it is not enabled</li>}
              {schedule.nextRuns.map((at) => (
                <li key={at}>
                  <NextRun at={at} />
                </li>
              ))}
            </ul>
          </Card>
        </UnattendedPage>
      )}
    </StoredArtifact>
  )
}
