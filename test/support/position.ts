import type { MikroORM } from '@mikro-orm/postgresql'
import { startOrm } from '../../platform/database/orm.ts'
import { HorizonRepository } from '../../platform/position/horizon.repository.ts'
import { migrations } from '../../subgraphs/events/migrations/index.ts'
import { ALL_CHANGES, ChangeRepository } from '../../subgraphs/events/stream/change.repository.ts'
import { entities } from '../../subgraphs/events/tables/entities.ts'
import { PartitionRepository } from '../../subgraphs/events/tables/partition.repository.ts'
import { StateChangeRepository } from '../../subgraphs/test-execution/executions/watch/state-change.repository.ts'
import { STORAGE } from '../../subgraphs/test-execution/storage.ts'

/** A stream of positioned rows: how a writer stores some, and how a reader gets them, each by a name of its own. */
export interface Stream {
  orm: MikroORM
  horizon: HorizonRepository
  /** Stores rows named `$1` and a number. $2: how many */
  insert: string
  stored: string
  /** Begins behind what is stored. @returns reads on: names in order, and whether it is to read again at once */
  reader(limit: number): Promise<() => Promise<{ names: string[]; isMore: boolean }>>
}

const log = { warn: () => {} }

export async function eventsStream(url: string, warnings = log, heldBackMs?: number) {
  const orm = await startOrm({ url, schema: 'events', entities, migrations })
  await new PartitionRepository(orm).ensure(new Date())
  const horizon = new HorizonRepository(orm.em, 'events', warnings, heldBackMs)
  const rows = new ChangeRepository(orm, horizon)
  const stream: Stream = {
    orm,
    horizon,
    insert: `
      insert into events.raw_event (event_id, is_new, title, severity, status, properties, tags, occurred_at, received_at)
      select gen_random_uuid(), true, $1 || ' ' || n, 'INFO', 'OK', '{}', '[]', now(), now() from generate_series(1, $2::int) as n`,
    stored: 'select title as name from events.raw_event order by id',
    async reader(limit) {
      let position = await rows.end()
      return async () => {
        const part = await rows.read(position, { table: 'raw', conditions: [] }, limit)
        position = part.next
        return {
          names: part.rows.map(({ occurrence }) => occurrence?.title ?? ''),
          isMore: part.rest === 'more',
        }
      }
    },
  }
  return stream
}

/** Changes of status by people, which share the order of raw events. */
export async function eventChangesStream(url: string) {
  const { orm, horizon } = await eventsStream(url)
  const rows = new ChangeRepository(orm, horizon)
  const stream: Stream = {
    orm,
    horizon,
    insert: `
      insert into events.status_change
        (event_id, at, changed_by, from_status, to_status, from_severity, to_severity, position)
      select gen_random_uuid(), now(), $1 || ' ' || n, 'OPEN', 'OK', 'INFO', 'INFO', events.next_position()
      from generate_series(1, $2::int) as n`,
    stored: 'select changed_by as name from events.status_change order by position',
    async reader(limit) {
      let position = await rows.end()
      return async () => {
        const part = await rows.read(position, ALL_CHANGES, limit)
        position = part.next
        const names = part.rows.map(({ statusChange }) => statusChange?.changedBy ?? '')
        return { names, isMore: part.rest === 'more' }
      }
    },
  }
  return stream
}

export async function stateChangesStream(url: string) {
  const orm = await startOrm({ url, ...STORAGE })
  const horizon = new HorizonRepository(orm.em, STORAGE.schema, log)
  const changes = new StateChangeRepository(orm.em, horizon)
  const stream: Stream = {
    orm,
    horizon,
    insert: `
      with begun as (
        insert into test_execution.execution (id, type, context_id, context_name, state, attempt, update_count, started,
          executed_by, open, request_id, use_code_coverage, steps, validation_failures, code_coverage)
        select gen_random_uuid(), 'TEST', $1 || ' ' || n, '', 'RUNNING', 0, 1, now(), '', true, '', false, '[]', '[]', '[]'
        from generate_series(1, $2::int) as n
        returning id)
      insert into test_execution.execution_update (execution_id, seq, kind, state) select id, 1, 'STATE', 'RUNNING' from begun`,
    stored: `
      select context_id as name from test_execution.execution_update
      join test_execution.execution on id = execution_id
      where kind = 'STATE' order by execution_update.position`,
    async reader(limit) {
      let position = await changes.end()
      return async () => {
        const part = await changes.read(position, {}, limit)
        position = part.next
        const names = part.rows.map(({ contextId }) => contextId)
        return { names, isMore: part.rest === 'more' }
      }
    },
  }
  return stream
}
