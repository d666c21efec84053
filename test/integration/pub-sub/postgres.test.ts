import pg from 'pg'
import { createLogger } from '../../../subgraphs/platform/process/logger.ts'
import { startPubSub } from '../../../subgraphs/platform/pub-sub/start.ts'
import { createDatabase } from '../../_support/database.ts'
import { type Fabric, pubSubContract } from '../../_support/pub-sub-contract.ts'

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
