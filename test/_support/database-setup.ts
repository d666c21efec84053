import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../subgraphs/shared/data-dir/embedded-postgres.ts'

/** Jest's globalSetup: one database server for all tests of the run. A test's data need not survive a power cut. */
export default async function setup(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-test-'))
  const server = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    password: 'test',
    log: { info: () => {}, warn: (message) => process.stderr.write(`${message}\n`) },
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  process.env.TEST_DATABASE_URL = server.url
  Object.assign(globalThis, {
    stopTestDatabase: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  })
}
