import pg from 'pg'

/** Looks at this interval whether a server is frozen. */
const LOOK_EVERY_MS = 1_000
/** A server that accepts no connection within this time is frozen. */
const CONNECT_MS = 1_000

/**
 * Cuts connections of a pool whose server answers nothing but keeps them open, as a frozen machine does or a network
 * that drops packets. Queries on them fail with a lost connection then, and not when TCP gives up after minutes.
 * @param Client of the pool, which may choose among servers
 */
export function cutWhenFrozen(pool: pg.Pool, Client: typeof pg.Client = pg.Client): void {
  /** When each connection in use was taken. */
  const used = new Map<pg.Client, number>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  async function look(): Promise<void> {
    const asked = performance.now()
    const before = [...used].filter(([, since]) => asked - since >= LOOK_EVERY_MS)
    if (isLooking || before.length === 0) return
    isLooking = true
    const isThere = await answers(Client, pool.options)
    isLooking = false
    if (isThere) return
    for (const [client, since] of before) if (used.get(client) === since) void client.end()
  }
  pool.on('acquire', (client) => {
    if (!(client instanceof pg.Client)) return
    used.set(client, performance.now())
    timer ??= setInterval(() => void look(), LOOK_EVERY_MS)
  })
  pool.on('release', (_error, client) => {
    if (client instanceof pg.Client) used.delete(client)
    if (used.size > 0) return
    clearInterval(timer)
    timer = undefined
  })
}

/** Asks over a connection of its own: a pool may have none left. */
async function answers(Client: typeof pg.Client, options: pg.PoolOptions): Promise<boolean> {
  const client = new Client({ ...options, connectionTimeoutMillis: CONNECT_MS })
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
