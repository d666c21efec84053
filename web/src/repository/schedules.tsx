import { useMay } from '../app/account.tsx'
import { Run } from '../executions/run.tsx'
import { change } from '../graph/client.ts'
import {
  ResumeSchedulesDocument,
  SchedulesDocument,
  SchedulesPausedDocument,
  type SchedulesQuery,
} from '../graph/generated.ts'
import { useRead } from '../graph/use-read.ts'
import { actionColumn } from '../ui/action-column.tsx'
import { Button } from '../ui/parts.tsx'
import type { Column } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import { attempt } from '../ui/toasts.tsx'
import { changed, nameColumn } from './cells.tsx'
import { ListPage } from './list-page.tsx'
import { KINDS } from './reading.tsx'
import { NextRun } from './schedule-times.tsx'

type Row = SchedulesQuery['page']['nodes'][number]

export default function Schedules() {
  return (
    <ListPage
      kind={KINDS.schedule}
      document={SchedulesDocument}
      columns={COLUMNS}
      hint="A schedule executes a scenario or suite at times."
      notice={<Paused />}
    />
  )
}

/** Why none runs, and for administrators the way out of it. */
function Paused() {
  const mayResume = useMay('accounts:manage')
  const { data, reload } = useRead(SchedulesPausedDocument, {})
  const reason = data?.schedulesPaused
  if (!reason) return null
  const resume = () =>
    attempt(async () => {
      await change(ResumeSchedulesDocument, {})
      reload()
    })
  return (
    <div className="notice bad row" role="alert">
      <span className="grow">No schedule runs. {reason}.</span>
      {mayResume && <Button onClick={resume}>Resume</Button>}
    </div>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  nameColumn(KINDS.schedule),
  {
    title: 'Times',
    width: 'minmax(8rem, 2fr)',
    cell: ({ cron, timeZone }) => (
      <>
        <div className="cut mono">{cron}</div>
        <div className="under cut">{timeZone}</div>
      </>
    ),
  },
  { title: 'Next run', width: '9rem', cell: ({ nextRuns: [next] }) => <NextRun at={next} /> },
  {
    title: 'Last run',
    width: '9rem',
    cell: ({ lastRunAt, failure }) =>
      failure ? (
        <span className="fault cut" title={failure}>
          Started nothing
        </span>
      ) : (
        lastRunAt && <Ago at={lastRunAt} />
      ),
  },
  changed(),
  actionColumn({ width: '5rem', permission: 'executions:run' }, ({ target }) => (
    <Run contextId={target.id} small />
  )),
]
