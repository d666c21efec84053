import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { clusterNameOf } from '../../../platform/data-dir/embedded-postgres.ts'
import { findProcesses, recordedPid } from '../../../platform/data-dir/postgres-leftovers.ts'

interface Said {
  event: 'info' | 'warn' | 'ready' | 'failed'
  message?: string
  url?: string
}

/** A real process that runs the database of a data folder; see holder.main.ts. */
export class Holder {
  readonly #child: ChildProcess
  readonly #said: Said[] = []
  #heard = () => {}

  constructor(folder: string) {
    const main = join(import.meta.dirname, 'holder.main.ts')
    const child = spawn(process.execPath, [main, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.#said.push(JSON.parse(line))
      this.#heard()
    })
    child.on('exit', () => this.#heard())
    this.#child = child
  }

  /** The next thing of this kind it said or says. */
  async hears(event: Said['event'], pattern = /(?:)/): Promise<Said> {
    for (;;) {
      const index = this.#said.findIndex(
        (one) => one.event === event && pattern.test(one.message ?? ''),
      )
      const [found] = index < 0 ? [] : this.#said.splice(index, 1)
      if (found) return found
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        throw new Error(
          `The process ended without saying "${event}": ${JSON.stringify(this.#said)}`,
        )
      }
      await new Promise<void>((resolve) => {
        this.#heard = resolve
      })
    }
  }

  /** The address of its database, once it runs. */
  async url(): Promise<string> {
    return (await this.hears('ready')).url ?? ''
  }

  /** Everything it said and nobody asked for. */
  get unheard(): Said[] {
    return this.#said
  }

  async stop(): Promise<void> {
    this.#child.stdin?.end()
    const [code] = await once(this.#child, 'exit')
    expect(code).toBe(0)
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exit = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exit
  }
}

/** Data folders and their holders for one test; `clear` fails when a database process is left. */
export class Folders {
  readonly #folders: string[] = []
  readonly #holders: Holder[] = []

  /** A folder that nobody but its owner can enter. */
  async create(): Promise<string> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'assay-data-')))
    this.#folders.push(folder)
    return folder
  }

  hold(folder: string): Holder {
    const holder = new Holder(folder)
    this.#holders.push(holder)
    return holder
  }

  async clear(): Promise<void> {
    for (const holder of this.#holders.splice(0)) await holder.kill()
    const left: string[] = []
    for (const folder of this.#folders.splice(0)) {
      for (const { pid, command } of await databaseProcesses(folder)) {
        process.kill(pid, 'SIGKILL')
        left.push(command)
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
    expect(left).toEqual([])
  }
}

export const databaseProcesses = async (folder: string) =>
  findProcesses(await clusterNameOf(join(folder, 'postgres')))

/** The pid of the database server that runs on the data folder. */
export async function serverPid(folder: string): Promise<number> {
  const pid = await recordedPid(join(folder, 'postgres'))
  if (pid === undefined) throw new Error('No database server runs')
  return pid
}

export async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // the tests kill servers
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
