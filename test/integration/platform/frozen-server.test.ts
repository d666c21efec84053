import pg from 'pg'
import { cutWhenFrozen } from '../../../platform/database/frozen-server.ts'
import { serverUrl } from '../../support/database.ts'
import { startFreezable } from '../../support/freezable.ts'

test('a query on a frozen server fails as on a lost one, and one that takes long on another does not', async () => {
  const server = await startFreezable(serverUrl())
  const pool = new pg.Pool({ connectionString: server.url, max: 1 })
  pool.on('error', () => {})
  pool.on('connect', cutWhenFrozen)
  try {
    await pool.query('select pg_sleep(2.5)')
    const waiting = pool.query('select pg_sleep(60)')
    server.freeze()
    await expect(waiting).rejects.toThrow(/connection terminated/i)
  } finally {
    server.close()
    await pool.end()
  }
})
