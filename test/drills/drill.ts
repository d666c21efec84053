import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { writableServer } from '../../platform/database/database-servers.ts'
import { Books, differences } from './books.ts'
import type { Fault } from './faults.ts'
import type { Installation } from './installation.ts'
import { startLoad } from './load.ts'

const QUIET_MS = 2_000
const SETTLE_MS = 60_000

/** Result of one drill. */
export interface Drilled {
  books: Books
  recoveredMs: number
  /** Differences in the books. */
  differences: string[]
}

/** Lets a fault happen while callers do not pause, waits until all of them succeed again, and holds their books against the store. */
export async function drill(installation: Installation, fault: Fault): Promise<Drilled> {
  const prefix = `drill${randomBytes(4).toString('hex')}`
  const books = new Books()
  const load = await startLoad(installation.url, books, prefix)
  await load.recovers()
  await delay(QUIET_MS)
  const failuresBefore = books.failures()
  await fault.happen(installation, books)
  const recoveredMs = await load.recovers()
  await delay(QUIET_MS)
  await load.stop()
  await load.settle(SETTLE_MS)
  const url = await writableServer(installation.database.url)
  const found = await differences(books, { url, prefix })
  const failures = books.failures() - failuresBefore
  if (failuresBefore > 0) found.push(`${failuresBefore} requests failed before the fault`)
  if (fault.isUnnoticed && failures > 0)
    found.push(`${failures} requests failed: ${books.allFailures()}`)
  found.push(...books.internalErrors())
  return { books, recoveredMs, differences: found }
}
