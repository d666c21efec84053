import { type EntityManager, raw } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { WorkerEntity } from './worker.entity.ts'
import type { Worker } from './worker.type.ts'

/** A worker that has not reported itself for this time is gone. */
const GONE_SECONDS = 20

/** The workers that serve this database. Its clock decides, as theirs may differ. */
export class WorkerRepository {
  constructor(private readonly em: EntityManager) {}

  /** Writes that a worker lives, and forgets those that are gone. */
  async report({ id, name, version, slots, used, sandbox }: Reported): Promise<void> {
    const kysely = this.em.fork().getKysely()
    await sql`
      insert into test_execution.worker (id, name, version, slots, used, sandbox, started, last_seen)
      values (${id}, ${name}, ${version}, ${slots}, ${used}, ${JSON.stringify(sandbox)}::jsonb, now(), now())
      on conflict (id) do update set used = excluded.used, last_seen = now()`.execute(kysely)
    await sql`delete from test_execution.worker
      where last_seen < now() - make_interval(secs => ${GONE_SECONDS})`.execute(kysely)
  }

  async remove(id: string): Promise<void> {
    await sql`delete from test_execution.worker where id = ${id}`.execute(
      this.em.fork().getKysely(),
    )
  }

  /** In the order of their start. */
  list(): Promise<Worker[]> {
    const oldest = raw(`now() - interval '${GONE_SECONDS} seconds'`)
    return this.em
      .fork()
      .find(
        WorkerEntity,
        { lastSeen: { $gte: oldest } },
        { orderBy: [{ started: 'asc' }, { id: 'asc' }] },
      )
  }
}

/** Facts that a worker reports of itself. */
export type Reported = Omit<Worker, 'started' | 'lastSeen'>
