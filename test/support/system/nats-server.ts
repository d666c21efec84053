import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../../../platform/data-dir/free-port.ts'
import { pathOf } from './programs.ts'

export interface NatsServer {
  /** nats://127.0.0.1:… ; a restart keeps it. */
  url: string
  /** Id of the process that runs now. */
  readonly pid: number
  /** Ends it without a farewell to its clients. */
  kill(): Promise<void>
  /** Ends it without a farewell to its clients, and starts it again. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startNatsServer(args: readonly string[] = []): Promise<NatsServer> {
  const port = await freePort()
  const options = ['--addr', '127.0.0.1', '--port', String(port), ...args]
  let child = await start(options)
  const end = async (signal: NodeJS.Signals) => {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? 0
    },
    kill: () => end('SIGKILL'),
    async restart() {
      if (child.exitCode === null && child.signalCode === null) await end('SIGKILL')
      child = await start(options)
    },
    stop: () => end('SIGTERM'),
  }
}

async function start(options: readonly string[]): Promise<ChildProcess> {
  const child = spawn(pathOf('nats-server'), options, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  for await (const text of child.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += text
    if (!said.includes('Server is ready')) continue
    child.stderr.resume()
    return child
  }
  throw new Error(`nats-server did not start:\n${said}`)
}
