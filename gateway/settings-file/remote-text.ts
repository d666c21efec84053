import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../../platform/process/logger.ts'

export interface RemoteTextOptions {
  /** Name of the text in messages, and in that of the file that keeps it. */
  name: 'supergraph' | 'trusted documents'
  url: string
  /** Sent as a bearer token, and in the header that CDNs of Hive look for. */
  token: string | undefined
  /** Folder for the last text that could be used. */
  folder: string
  pollMs: number
  log: Logger
}

export interface RemoteText {
  /** The address, without what may be secret in its query. */
  from: string
  /** The text as it is now, or the one before where the server does not answer. @throws Error where there is none */
  read(): Promise<string>
  /** Keeps a text that could be used: a start may need it while the server is away. */
  keep(text: string): void
  /** @returns what ends it */
  watch(changed: () => void): () => void
}

const TIMEOUT_MS = 10_000

/** A text at an address, asked for with the entity tag of the one before. */
export function remoteText({
  name,
  url,
  token,
  folder,
  pollMs,
  log,
}: RemoteTextOptions): RemoteText {
  const hash = createHash('sha256').update(url).digest('hex').slice(0, 16)
  const file = join(
    folder,
    name === 'supergraph' ? `supergraph-${hash}.graphql` : `trusted-documents-${hash}.json`,
  )
  const failed = `Cannot fetch the ${name}`
  const { origin, pathname } = new URL(url)
  const from = origin + pathname
  let known: { text: string; tag: string | null } | undefined
  let kept: string | undefined

  async function ask(): Promise<boolean> {
    const response = await fetch(url, {
      headers: {
        accept: 'text/plain, application/graphql, */*;q=0.1',
        ...(token && { authorization: `Bearer ${token}`, 'x-hive-cdn-key': token }),
        ...(known?.tag && { 'if-none-match': known.tag }),
      },
      redirect: 'error', // the token is for this server alone
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (response.status === 304 && known) return false
    if (response.status !== 200) throw new Error(`It answered with the status ${response.status}`)
    const isNew = text !== known?.text
    known = { text, tag: response.headers.get('etag') }
    return isNew
  }

  return {
    from,
    async read() {
      try {
        await ask()
      } catch (error) {
        const { message, cause } = error as Error
        const reason = cause instanceof Error ? `${message}: ${cause.message}` : message
        if (known) {
          log.error({ reason, from }, `${failed}; what was before stays`)
          return known.text
        }
        const text = await readFile(file, 'utf8').catch(() => null)
        if (text === null)
          throw new Error(`it cannot be fetched, and none was kept before: ${reason}`)
        log.warn({ reason, from, file }, `${failed}; the start uses what was last`)
        known = { text, tag: null }
        kept = text
      }
      return known?.text ?? ''
    },
    keep(text) {
      if (text === kept) return
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        const next = `${file}.${process.pid}.next` // other processes keep theirs at the same time
        writeFileSync(next, text, { mode: 0o600 })
        renameSync(next, file)
        kept = text
      } catch (err) {
        log.error({ err, file }, `Cannot keep the ${name}: a start needs its server`)
      }
    },
    watch(changed) {
      let isAsking = false
      const timer = setInterval(async () => {
        if (isAsking) return
        isAsking = true
        try {
          if (await ask()) changed()
        } catch (error) {
          log.error({ reason: (error as Error).message, from }, `${failed}; what was before stays`)
        }
        isAsking = false
      }, pollMs).unref()
      return () => clearInterval(timer)
    },
  }
}
