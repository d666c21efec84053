import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { addressOf, ENTRY } from '../../support/assay.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { withTimeEnough } from '../../support/eventually.ts'
import { spawnProduct } from '../../support/product-process.ts'

const DELAY_MS = 3_000

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

test.each(['gateway', 'events'] as const)(
  'a stopping process (%s) serves on until its balancer has noticed, and keeps no connection',
  (name) =>
    withTimeEnough(DELAY_MS, async (delayMs) => {
      const nowhere = 'http://127.0.0.1:9/graphql'
      const process = spawnProduct(
        name,
        ENTRY[name],
        {
          PORT: '0',
          AUTH_MODE: 'users',
          SHUTDOWN_DELAY_SECONDS: `${delayMs / 1_000}`,
          INTERNAL_SECRET: randomBytes(32).toString('base64'),
          ...(name === 'events'
            ? { DATABASE_URL: database.url }
            : { TEST_EXECUTION_URL: nowhere, EVENTS_URL: nowhere, ACCOUNTS_URL: nowhere }),
        },
        tmpdir(),
      )
      const { origin } = new URL((await addressOf(process)) ?? '')
      const ask = async (path: string) => {
        const { status, headers } = await fetch(origin + path)
        return { path, status, connection: headers.get('connection') }
      }
      expect(await ask('/healthz')).toMatchObject({ status: 200, connection: 'keep-alive' })
      const signalled = performance.now()
      process.signal('SIGTERM')
      while ((await ask('/readyz')).status === 200);
      expect(await Promise.all(['/healthz', '/readyz'].map(ask))).toEqual([
        { path: '/healthz', status: 200, connection: 'close' },
        { path: '/readyz', status: 503, connection: 'close' },
      ])
      expect(await process.exited).toEqual({ code: 0, signal: null })
      expect(performance.now() - signalled).toBeGreaterThanOrEqual(delayMs)
    }),
)
