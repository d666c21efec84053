import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..', '..')
const READY = 'Assay is ready'

/** A document as it is committed. */
export const committed = (path: string): string =>
  execFileSync('git', ['show', `HEAD:${path}`], { cwd: ROOT, encoding: 'utf8' })

/** Somebody who has nothing but the documents: a fresh clone, a shell and a terminal in which the product runs. */
export class Reader {
  readonly folder = mkdtempSync(join(tmpdir(), 'assay-readme-'))
  #place = this.folder
  #server: ChildProcess | undefined

  constructor(readonly port: number) {
    execFileSync('git', ['clone', '--quiet', ROOT, this.folder])
  }

  /** Types a script. @returns what it wrote to standard output @throws when it fails */
  async run(script: string): Promise<string> {
    const { stdout } = await promisify(execFile)('sh', ['-ec', this.#here(script)], this.#options())
    return stdout.trim()
  }

  /** Moves a file into a folder that holds nothing else, and goes on there. */
  async moveAway(file: string): Promise<void> {
    const place = mkdtempSync(join(tmpdir(), 'assay-alone-'))
    await this.run(`mv ${file} ${place}`)
    this.#place = place
  }

  /** Types a command that goes on, in a terminal of its own, and waits until it serves. */
  async start(command: string): Promise<void> {
    const server = spawn('sh', ['-c', `exec ${command}`], { ...this.#options(), detached: true })
    this.#server = server
    let output = ''
    await new Promise<void>((resolve, reject) => {
      const hear = (text: string) => {
        output += text
        if (output.includes(READY)) resolve()
      }
      server.stdout.setEncoding('utf8').on('data', hear)
      server.stderr.setEncoding('utf8').on('data', hear)
      server.once('exit', () => reject(new Error(`${command} ended:\n${output}`)))
    })
  }

  /** Presses Ctrl-C in the terminal of the product. @returns the exit code */
  async interrupt(): Promise<number | null> {
    const server = this.#server
    this.#server = undefined
    if (!server?.pid) throw new Error('Nothing was started')
    const exited = once(server, 'exit')
    process.kill(-server.pid, 'SIGINT')
    await exited
    return server.exitCode
  }

  async leave(): Promise<void> {
    if (this.#server) await this.interrupt()
    for (const folder of new Set([this.folder, this.#place]))
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  /** The port of the README may be taken. */
  #here = (script: string) => script.replaceAll('127.0.0.1:4000', `127.0.0.1:${this.port}`)

  #options() {
    const url = `http://127.0.0.1:${this.port}`
    const env = { ...OUTSIDE, PORT: String(this.port), ASSAY_URL: url }
    return { cwd: this.#place, env, maxBuffer: 64 * 1024 * 1024 }
  }
}

/** Environment of a reader, without the additions of npm and Jest: neither our variables nor our programs. */
const OUTSIDE: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name))),
  PATH: process.env.PATH?.split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':'),
  npm_config_prefer_offline: 'true',
}

function isOurs(name: string): boolean {
  return (
    /^npm_(lifecycle|package|command|execpath|node_execpath)/.test(name) ||
    /^npm_config_(local_prefix|global_prefix|prefix)$/.test(name) ||
    ['NODE', 'NODE_ENV', 'NODE_OPTIONS', 'INIT_CWD', 'JEST_WORKER_ID'].includes(name)
  )
}
