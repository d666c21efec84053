import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { survivors } from './run.ts'

/** Secret that code in the sandbox may not learn: it is in a file and in this process's environment. */
export const SECRET = 'canary-7a1f'

/** Things outside the sandbox that an escape would touch. */
export interface Witnesses {
  /** Facts that code in the sandbox may know about them: it gets these numbers and paths. */
  known: { read: string; write: string; port: number; pid: number | undefined }
  /** Whatever was touched, in words. */
  traces(): string[]
  stop(): Promise<void>
}

/** A file to read, a file to write, a port that listens, a process to signal. */
export async function startWitnesses(): Promise<Witnesses> {
  process.env.CANARY = SECRET
  const folder = mkdtempSync(join(tmpdir(), 'canary-'))
  const [read, write] = [join(folder, 'secret'), join(folder, 'written')]
  writeFileSync(read, SECRET)
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const victim: ChildProcess = spawn('sleep', ['600'])
  return {
    known: { read, write, port, pid: victim.pid },
    traces: () => [
      ...(existsSync(write) ? ['a file was written'] : []),
      ...(connections > 0 ? ['a connection was opened'] : []),
      ...(victim.exitCode === null && victim.signalCode === null
        ? []
        : ['a process was signalled']),
      ...survivors().map((pid) => `process ${pid} is still alive`),
    ],
    async stop() {
      delete process.env.CANARY
      rmSync(folder, { recursive: true })
      victim.kill('SIGKILL')
      await once(victim, 'exit')
      server.close()
      await once(server, 'close')
    },
  }
}
