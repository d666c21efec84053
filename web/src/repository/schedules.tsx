import { Run } from '../executions/run.tsx'
import { SchedulesDocument, type SchedulesQuery } from '../graph/generated.ts'
import { actionColumn } from '../ui/action-column.tsx'
import type { Column } from '../ui/table.tsx'
import { changed, nameColumn } from './cells.tsx'
import { ListPage } from './list-page.tsx'
import { KINDS } from './reading.tsx'
import { NextRun } from './schedule-times.tsx'
import { Paused, ranColumn } from './unattended.tsx'

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
  ranColumn(),
  changed(),
  actionColumn({ width: '5rem', permission: 'executions:run' }, ({ target }) => (
    <Run contextId={target.id} small />
  )),
]
