import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../platform/data-dir/free-port.ts'
import { pathOf } from './programs.ts'

/** PgBouncer in transaction mode before a database that trusts its clients. */
export interface PgBouncer {
  url: string
  kill(): Promise<void>
  /** Starts it again where it was. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startPgBouncer(url: string): Promise<PgBouncer> {
  const { hostname, port: databasePort, pathname, username } = new URL(url)
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'assay-pgbouncer-'))
  await chmod(folder, 0o755)
  const users = join(folder, 'users')
  const settings = join(folder, 'pgbouncer.ini')
  await writeFile(users, `"${username}" ""\n`)
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${databasePort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
max_client_conn = 500
`,
  )
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  let child = await begin([...account, settings])
  const abandon = () => void child.kill('SIGKILL')
  process.once('exit', abandon)
  const kill = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    kill,
    async restart() {
      child = await begin([...account, settings])
    },
    async stop() {
      process.off('exit', abandon)
      await kill()
      await rm(folder, { recursive: true })
    },
  }
}

async function begin(args: readonly string[]) {
  const child = spawn(pathOf('pgbouncer'), args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  for await (const text of child.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += text
    if (said.includes('process up')) break
  }
  child.stderr.resume()
  if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${said}`)
  return child
}
