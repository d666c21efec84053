import pg from 'pg'
import { failureOf } from '../../../platform/database/database-error.ts'
import { clientOf, serversOf, writableServer } from '../../../platform/database/database-servers.ts'
import { administer, serverUrl, urlOf } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { startFreezable } from '../../support/freezable.ts'

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

test('a database whose name is encoded is the one of that name, with one server or several', async () => {
  const name = `odd@/name%40${process.pid}`
  const one = urlOf(encodeURIComponent(name))
  const two = one.replace('@', `@${new URL(one).host},`)
  await administer(`create database ${pg.escapeIdentifier(name)}`)
  try {
    for (const url of [one, two]) {
      const [connectionString] = serversOf(url)
      for (const settings of [
        { connectionString, Client: clientOf(url) },
        { connectionString: await writableServer(url) },
      ]) {
        const pool = new pg.Pool({ ...settings, max: 1 })
        const { rows } = await pool.query('select current_database() as name')
        await pool.end()
        expect(rows).toEqual([{ name }])
      }
    }
  } finally {
    await administer(`drop database ${pg.escapeIdentifier(name)} with (force)`)
  }
})
