import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { startOrm } from '../../../platform/database/orm.ts'
import { startJobs } from '../../../platform/jobs/jobs.ts'
import { Releasers } from '../../../platform/process/releasers.ts'
import { startPostgresPubSub } from '../../../platform/pub-sub/postgres.ts'
import { PRUNE_AUDIT } from '../../../subgraphs/accounts/audit/audit.retention.ts'
import { STORAGE, startAccounts } from '../../../subgraphs/accounts/index.ts'
import { querier } from '../../support/access/querier.ts'
import { createDatabase } from '../../support/database.ts'

const SESSIONS = { idleMs: 60_000, lifetimeMs: 60_000 }

const DAY_MS = 86_400_000
const releasers = new Releasers()
afterEach(() => releasers.release())

test('entries of the audit log are deleted when they are old enough, however many', async () => {
  const log = pino({ level: 'silent' })
  const { url: databaseUrl, drop } = await createDatabase()
  releasers.defer(drop)
  const pubSub = await startPostgresPubSub(databaseUrl, log)
  releasers.defer(() => pubSub.stop())
  const jobs = await startJobs(databaseUrl, log)
  releasers.defer(() => jobs.stop())
  const settings = {
    firstAdmin: undefined,
    auditRetentionDays: 2,
    apiTokenDays: 90,
    sessions: SESSIONS,
  }
  const accounts = await startAccounts({ databaseUrl, pubSub, jobs, log }, settings)
  releasers.defer(() => accounts.stop())
  const database = querier(databaseUrl)
  releasers.defer(() => database.close())
  const orm = await startOrm({ url: databaseUrl, ...STORAGE })
  releasers.defer(() => orm.close())

  const at = (days: number) => new Date(Date.now() - days * DAY_MS)
  const entry = (days: number, action: string) =>
    `('${uuidv7({ msecs: at(days).getTime() })}', '${at(days).toISOString()}', '${action}', 'r')`
  const entries = [...Array.from({ length: 2_100 }, () => entry(3, 'old')), entry(1, 'young')]
  await database.query(
    `insert into audit.entry (id, at, action, request_id) values ${entries.join()}`,
  )
  await orm.em.fork().transactional((em) => jobs.enqueue(em, PRUNE_AUDIT.name, {}))
  const actions = () => database.query('select action from audit.entry')
  while ((await actions()).length > 1) await delay(20)
  expect(await actions()).toEqual([{ action: 'young' }])
})
