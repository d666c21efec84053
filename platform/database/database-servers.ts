import pg from 'pg'
import { cutWhenFrozen } from './frozen-server.ts'

/** User, password and at last a slash; servers with commas; database and parameters. */
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/@]*@)?)([^/?]+)(.*)$/

/** The scheme and what stands before the name of the database; that name. */
const DATABASE = /^(postgres(?:ql)?:\/\/[^/?]*\/)([^?]+)/

/** Encodings of `$&+,/:;=@`, which the driver leaves encoded in the name of a database. A path may have them as they are. */
const LEFT_ENCODED = /%(?:2[46BCF]|3[ABD]|40)/gi

/** Dots that a URL resolves in its path, as of folders. */
const DOTS = /(^|\/)(\.|%2e){1,2}(\/|$)/i

/** The same address with a name of the database that the driver reads as psql does, unless that has `?`, `#` or `/../`. */
const withReadableName = (url: string): string =>
  url.replace(DATABASE, (whole, start, name) => {
    const read = name.replace(LEFT_ENCODED, (code: string) => decodeURIComponent(code))
    return DOTS.test(read) ? whole : start + read
  })

/**
 * An address for each server of one database, as `postgres://user:password@one:5432,two:5432/assay` names them: a primary
 * and its standbys, in any order.
 */
export function serversOf(url: string): [first: string, ...others: string[]] {
  const readable = withReadableName(url)
  const [, start = '', servers = '', rest = ''] = ADDRESS.exec(readable) ?? []
  const [first, ...others] = servers.split(',').map((server) => `${start}${server}${rest}`)
  return first && ADDRESS.test(readable) ? [first, ...others] : [readable]
}

const NAME = /([?&])application_name=([^&]*)&?/

/** The name of connections to an address, as `pg_stat_activity` shows it. */
export const nameIn = (url: string): string | undefined => {
  const [, , name] = NAME.exec(url) ?? []
  return name === undefined ? undefined : decodeURIComponent(name)
}

/** The same address with a name that says what its connections are for, such as `assay events jobs`. */
export function named(url: string, part: string): string {
  const rest = url.replace(NAME, '$1').replace(/[?&]$/, '')
  const name = encodeURIComponent(`${nameIn(url) ?? 'assay'} ${part}`)
  return `${rest}${rest.includes('?') ? '&' : '?'}application_name=${name}`
}

/** Addresses of the database, as the settings give them. */
export interface GivenUrls {
  url: string
  directUrl?: string | undefined
  readUrl?: string | undefined
}

/** The same for a process of a kind, whose connections say which one it is. */
export const databaseUrls = ({ url, directUrl, readUrl }: GivenUrls, process: string) => ({
  databaseUrl: named(url, process),
  directUrl: directUrl && named(directUrl, process),
  readUrl: readUrl && named(readUrl, process),
})

/** A server that does not answer within this time is passed over. */
const ANSWER_MS = 3_000

/** With a limit of its own, which the types of the driver lack. */
const IS_READ_ONLY = { text: 'show transaction_read_only', query_timeout: ANSWER_MS }

/** The server that takes writes. @throws Error that names the reason of each server */
export async function writableServer(url: string): Promise<string> {
  const servers = serversOf(url)
  if (servers.length === 1) return servers[0]
  const answers = await Promise.all(servers.map(refusalOf))
  const writable = servers[answers.indexOf(null)]
  if (writable) return writable
  const reasons = servers.map((server, at) => `${new URL(server).host}: ${answers[at]}`)
  throw unavailable(`No server of the database takes writes. ${reasons.join('; ')}`)
}

/** Passes by itself, as a database that is away does. */
const unavailable = (message: string): Error =>
  Object.assign(new Error(message), { code: 'ECONNREFUSED' })

async function refusalOf(connectionString: string): Promise<string | null> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_MS })
  client.on('error', () => {}) // the call in flight reports it
  try {
    await client.connect()
    const { rows } = await client.query(IS_READ_ONLY)
    return rows[0].transaction_read_only === 'off' ? null : 'it is a standby'
  } catch (error) {
    return isTimeout(error) ? 'it does not answer' : (error as Error).message
  } finally {
    client.end().catch(() => {})
  }
}

/** The driver has no code for it. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && /^(timeout expired|Query read timeout)$/.test(error.message)

/**
 * A client for pools that connects to the server that takes writes. A failover ends the connections to the former
 * primary, also where that is frozen; the next ones look for the new one.
 */
export function clientOf(url: string, Base: typeof pg.Client = pg.Client): typeof pg.Client {
  if (serversOf(url).length === 1) return Base
  let found: Promise<URL> | undefined
  const find = () =>
    (found ??= writableServer(url).then(
      (server) => new URL(server),
      (error) => {
        found = undefined
        throw error
      },
    ))

  return class WritableClient extends Base {
    /** In a pool, the same limit would count the wait for a free client, too. */
    constructor(config: pg.ClientConfig) {
      super({ connectionTimeoutMillis: ANSWER_MS, ...config })
    }

    override connect(): Promise<this>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      const connected = this.#connect()
      if (!callback) return connected
      connected.then(() => callback(null as never), callback) // as the driver reports success
      return undefined
    }

    async #connect(): Promise<this> {
      const server = find()
      const { host, hostname, port } = await server
      Object.assign(this, { host: hostname, port: Number(port || 5432) })
      this.on('error', () => {}) // the call in flight reports it; the pool listens from the end of this call on
      try {
        await super.connect()
        const { rows } = await this.query(IS_READ_ONLY)
        if (rows[0].transaction_read_only !== 'off')
          throw unavailable(`${host} has become a standby`)
        cutWhenFrozen(this)
        return this
      } catch (error) {
        if (found === server) found = undefined
        void this.end().catch(() => {})
        throw isTimeout(error) ? unavailable(unanswered(host)) : error
      }
    }
  }
}

const unanswered = (host: string): string =>
  `The database server ${host} does not answer; the next connection looks for one that takes writes`
