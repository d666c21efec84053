import pg from 'pg'
import { failureOf } from '../../../subgraphs/platform/database/database-error.ts'
import { clientOf, serversOf } from '../../../subgraphs/platform/database/database-servers.ts'
import { serverUrl } from '../../_support/database.ts'
import { eventually } from '../../_support/eventually.ts'
import { startFreezable } from '../../_support/freezable.ts'

test('connecting to a server that is frozen fails soon, and the next connection is to another one', async () => {
  const first = await startFreezable(serverUrl())
  const url = serverUrl().replace('@', `@${new URL(first.url).host},`)
  const pool = new pg.Pool({ connectionString: serversOf(url)[0], Client: clientOf(url), max: 1 })
  pool.on('error', () => {})
  const portOfNext = async () => {
    const client = await pool.connect()
    const { port } = client as unknown as { port: number }
    client.release(true)
    return String(port)
  }
  try {
    expect(await portOfNext()).toBe(new URL(first.url).port)
    first.freeze()
    const refused = await pool.connect().catch((error: Error) => error)
    expect(refused).toMatchObject({
      message: expect.stringMatching(/127.0.0.1:\d+ does not answer/),
    })
    expect(failureOf(refused)).toBe('transient')
    expect(await portOfNext()).toBe(new URL(serverUrl()).port || '5432')
  } finally {
    first.close()
    await pool.end()
  }
})

test('a query on a server that freezes fails soon, and the next one goes to another server', async () => {
  const first = await startFreezable(serverUrl())
  const url = serverUrl().replace('@', `@${new URL(first.url).host},`)
  const pool = new pg.Pool({ connectionString: serversOf(url)[0], Client: clientOf(url), max: 1 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    await pool.query('select 1')
    const waiting = pool.query('select pg_sleep(600)')
    first.freeze()
    await expect(waiting).rejects.toThrow(/connection terminated/i)
    await expect(eventually(() => pool.query('select 1'))).resolves.toMatchObject({ rowCount: 1 })
  } finally {
    first.close()
    await pool.end()
  }
})

test('the limit of connecting does not count the wait for a free client', async () => {
  const url = serverUrl().replace('@', `@${new URL(serverUrl()).host},`)
  const pool = new pg.Pool({ connectionString: serversOf(url)[0], Client: clientOf(url), max: 1 })
  try {
    const slow = pool.query('select pg_sleep(4)')
    await expect(pool.query('select 1')).resolves.toMatchObject({ rowCount: 1 })
    await slow
  } finally {
    await pool.end()
  }
})
