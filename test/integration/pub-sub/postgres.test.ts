import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { createLogger } from '../../../platform/process/logger.ts'
import { startPubSub } from '../../../platform/pub-sub/start.ts'
import { createDatabase, withoutDatabase } from '../../support/database.ts'
import { type Fabric, pubSubContract } from '../../support/pub-sub-contract.ts'

const log = createLogger('error')

describe('pub/sub over PostgreSQL', () => pubSubContract(openDatabase))

async function openDatabase(): Promise<Fabric> {
  const database = await createDatabase()
  return {
    connect: () => startPubSub({ natsUrl: undefined, directUrl: database.url }, log),
    async interrupt() {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      await client.end()
    },
    close: database.drop,
  }
}

test('an outage of the database is logged when it begins and when it is over', async () => {
  const lines: { msg: string }[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  const { url, drop } = await createDatabase()
  const pubSub = await startPubSub({ natsUrl: undefined, directUrl: url }, log)
  const gap = Promise.withResolvers<void>()
  pubSub.subscribe('look', () => gap.resolve())
  await withoutDatabase(url, () => delay(2_000)) // four attempts
  await gap.promise
  await pubSub.stop()
  await drop()
  expect(lines.map(({ msg }) => msg).filter((msg) => !msg.endsWith('was lost'))).toEqual([
    'The pub/sub connection is away',
    'The pub/sub connection is back',
  ])
})
