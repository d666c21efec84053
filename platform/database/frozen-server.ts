import type { Socket } from 'node:net'
import pg from 'pg'

/** Looks at this interval whether a server is frozen. */
const LOOK_EVERY_MS = 1_000
/** A server that accepts no connection within this time is frozen. */
const CONNECT_MS = 2_000

/** Members of the driver that its types lack. */
type Connection = pg.Client & { readyForQuery: boolean; connection: { stream: Socket } }

/** Connections, and how many bytes each had read at the last look. */
const watched = new Map<Connection, number>()
/** Servers that are being asked. */
const asked = new Set<string>()
let timer: NodeJS.Timeout | undefined

/**
 * Cuts a connection whose server answers nothing but keeps it open, as a frozen machine does or a network that drops
 * packets. A query on it fails with a lost connection then, and not when TCP gives up after minutes.
 */
export function cutWhenFrozen(client: pg.Client): void {
  const connection = client as Connection // once it is connected
  watched.set(connection, 0)
  client.once('end', () => watched.delete(connection))
  timer ??= setInterval(look, LOOK_EVERY_MS).unref()
}

function look(): void {
  if (watched.size === 0) {
    clearInterval(timer)
    timer = undefined
  }
  const silent = new Map<string, Connection[]>()
  for (const [connection, before] of watched) {
    if (isSilent(connection, before)) {
      const server = `${connection.host}:${connection.port}`
      silent.set(server, [...(silent.get(server) ?? []), connection])
    }
    watched.set(connection, bytesOf(connection))
  }
  for (const [server, connections] of silent) void cutUnlessThere(server, connections)
}

async function cutUnlessThere(server: string, silent: readonly Connection[]): Promise<void> {
  const [first] = silent
  if (!first || asked.has(server)) return
  const before = silent.map(bytesOf)
  asked.add(server)
  const isThere = await answers(first)
  asked.delete(server)
  if (isThere) return
  for (const [at, connection] of silent.entries())
    if (isSilent(connection, before[at])) connection.connection.stream.destroy()
}

const bytesOf = ({ connection }: Connection): number => connection.stream.bytesRead

/** True if a query waits for a response of which nothing has come. */
const isSilent = (connection: Connection, bytesBefore: number | undefined): boolean =>
  !connection.readyForQuery && bytesOf(connection) === bytesBefore

/** Asks the same server over a connection of its own: a pool may have none left. */
async function answers({ user, password, database, host, port, ssl }: pg.Client): Promise<boolean> {
  const connectionTimeoutMillis = CONNECT_MS
  const client = new pg.Client({
    ...{ user, password, database, host, port, ssl, connectionTimeoutMillis },
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError
  } finally {
    void client.end()
  }
}
