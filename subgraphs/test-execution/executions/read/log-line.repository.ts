import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { checkText } from '../../../../platform/database/database-text.ts'
import { readCounted } from '../../../../platform/paging/counted-page.repository.ts'
import {
  type Connection,
  cursorOf,
  type IsKey,
  type Page,
} from '../../../../platform/paging/page.ts'
import type { ReadBudget } from '../../../../platform/paging/read-budget.ts'
import type { LogLevel } from '../../../../runner/sandbox/child-message.ts'
import { likeLiteral } from '../../artifacts/list/wildcard.ts'
import type { Execution } from '../execution.entity.ts'
import type { ExecutionLogFilter, LogLine } from './log-line.type.ts'

interface Row {
  seq: number
  place: number
  line: string
}

const DAY_MS = 86_400_000

/** Pages of the log of one execution. */
export class LogLineRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly budget: ReadBudget,
  ) {}

  /** @throws AppError BAD_USER_INPUT for a text that no database can hold */
  async page(
    { id, started }: Execution,
    page: Page,
    filter: ExecutionLogFilter,
  ): Promise<Connection<LogLine>> {
    checkText('filter', filter)
    const { from, isBackward, limit } = page
    const way = sql.raw(isBackward ? 'desc' : 'asc')
    const [seq, place] = from?.map(Number) ?? []
    const behind = from
      ? sql`(seq, place) ${sql.raw(isBackward ? '<' : '>')} (${seq}::int, ${place}::int)`
      : sql`true`
    return this.budget.inTurn(async () => {
      let bytes = 0
      const value = await readCounted<LogLine>(this.em, page, async (em) => {
        const { rows } = await sql<Row>`
          select seq, place::int as place, line from ${linesOf(id, filter)} where ${behind}
          order by seq ${way}, place ${way} limit ${limit + 1}`.execute(em.getKysely())
        bytes = rows.reduce((sum, { line }) => sum + line.length, 0)
        return {
          rows: rows.map((row) => parsed(row, started)),
          cursorOf: ({ seq, place }) => cursorOf(seq, place),
          count: async () => {
            const { rows } = await sql<{ count: number }>`
              select count(*)::int as count from ${linesOf(id, filter)}`.execute(em.getKysely())
            return rows[0]?.count ?? 0
          },
        }
      })
      return { value, bytes }
    })
  }
}

/** A log has a largest size, so that it can be looked through. */
const linesOf = (
  id: string,
  { levels = null, sources = null, step = null, text = null }: ExecutionLogFilter,
) => sql`(
  select seq, place, line from test_execution.execution_update,
    jsonb_array_elements_text(log) with ordinality as lines (line, place)
  where execution_id = ${id} and kind = 'LOG'
    and (${step}::text is null or seq between
      (select min(seq) from ${stepUpdates(id, step)}) and (select max(seq) from ${stepUpdates(id, step)}))
    and (${levels}::text[] is null or split_part(line, ' ', 2) = any(${levels}::text[]))
    and (${sources}::text[] is null
      or split_part(substr(line, length(split_part(line, ' ', 1) || split_part(line, ' ', 2)) + 3), '  ', 1)
        = any(${sources}::text[]))
    and (${text}::text is null or line ilike ${text === null ? null : `%${likeLiteral(text)}%`})
) as lines`

/** Lines that came before an update are written before it. */
const stepUpdates = (id: string, path: string | null) => sql`test_execution.execution_update
  where execution_id = ${id} and kind = 'STEP' and step ->> 'path' = ${path}::text`

export const isLogKey: IsKey = ([seq = '', place = '', ...rest]) =>
  /^\d{1,9}$/.test(seq) && /^\d{1,9}$/.test(place) && rest.length === 0

/** A line has the time of day alone, and an execution may go on behind midnight. */
function parsed({ seq, place, line }: Row, started: Date): LogLine {
  const [, clock = '', level = 'INFO', source = '', message = ''] =
    /^(\S+) (\S+) (.*?) {2}(.*)$/s.exec(line) ?? []
  const day = Math.floor(started.getTime() / DAY_MS) * DAY_MS
  const sameDay = day + Date.parse(`1970-01-01T${clock}Z`)
  const isNextDay = sameDay < started.getTime() - DAY_MS / 48
  const time = new Date(isNextDay ? sameDay + DAY_MS : sameDay)
  return { time, level: level as LogLevel, source, message, seq, place } // `logLine` has written it
}
