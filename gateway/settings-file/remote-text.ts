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

const TIMEOUT_MS = 10_000

/** A text at an address, asked for with the entity tag of the one before. */
export class RemoteText {
  /** The address, without what may be secret in its query. */
  readonly from: string
  readonly #file: string
  readonly #failed: string
  #known: { text: string; tag: string | null } | undefined
  #kept: string | undefined
  #isAsking = false

  constructor(private readonly options: RemoteTextOptions) {
    const { name, url, folder } = options
    const hash = createHash('sha256').update(url).digest('hex').slice(0, 16)
    this.#file = join(
      folder,
      name === 'supergraph' ? `supergraph-${hash}.graphql` : `trusted-documents-${hash}.json`,
    )
    this.#failed = `Cannot fetch the ${name}`
    const { origin, pathname } = new URL(url)
    this.from = origin + pathname
  }

  /** The text as it is now, or the one before where the server does not answer. @throws Error where there is none */
  async read(): Promise<string> {
    try {
      await this.#ask()
    } catch (error) {
      await this.#fallBack(error as Error)
    }
    return this.#known?.text ?? ''
  }

  /** Keeps a text that could be used: a start may need it while the server is away. */
  keep(text: string): void {
    if (text === this.#kept) return
    const { folder, name, log } = this.options
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const next = `${this.#file}.${process.pid}.next` // other processes keep theirs at the same time
      writeFileSync(next, text, { mode: 0o600 })
      renameSync(next, this.#file)
      this.#kept = text
    } catch (err) {
      log.error({ err, file: this.#file }, `Cannot keep the ${name}: a start needs its server`)
    }
  }

  /** @returns what ends it */
  watch(changed: () => void): () => void {
    const timer = setInterval(() => void this.#poll(changed), this.options.pollMs).unref()
    return () => clearInterval(timer)
  }

  async #poll(changed: () => void): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    try {
      if (await this.#ask()) changed()
    } catch (error) {
      this.#stays((error as Error).message)
    }
    this.#isAsking = false
  }

  /** @returns whether the text is another one */
  async #ask(): Promise<boolean> {
    const { url, token } = this.options
    const response = await fetch(url, {
      headers: {
        accept: 'text/plain, application/graphql, */*;q=0.1',
        ...(token && { authorization: `Bearer ${token}`, 'x-hive-cdn-key': token }),
        ...(this.#known?.tag && { 'if-none-match': this.#known.tag }),
      },
      redirect: 'error', // the token is for this server alone
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (response.status === 304 && this.#known) return false
    if (response.status !== 200) throw new Error(`It answered with the status ${response.status}`)
    const isNew = text !== this.#known?.text
    this.#known = { text, tag: response.headers.get('etag') }
    return isNew
  }

  /** Goes on with the text of before, or with the one that was kept. @throws Error where there is none */
  async #fallBack({ message, cause }: Error): Promise<void> {
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message
    if (this.#known) {
      this.#stays(reason)
      return
    }
    const file = this.#file
    const text = await readFile(file, 'utf8').catch(() => null)
    if (text === null) throw new Error(`it cannot be fetched, and none was kept before: ${reason}`)
    this.options.log.warn(
      { reason, from: this.from, file },
      `${this.#failed}; the start uses what was last`,
    )
    this.#known = { text, tag: null }
    this.#kept = text
  }

  #stays(reason: string): void {
    this.options.log.error({ reason, from: this.from }, `${this.#failed}; what was before stays`)
  }
}
