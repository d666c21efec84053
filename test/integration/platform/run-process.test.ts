import { type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, 'run-process.main.ts')
const STOPPED = [0, null]

test('a server goes on when its output goes to a full disk', async () => {
  const full = openSync('/dev/full', 'w')
  const server = start(['ignore', full, full, 'ipc'])
  closeSync(full)
  const { exited } = await served(server)
  server.kill('SIGTERM')
  expect(await exited).toEqual(STOPPED)
})

test('a server goes on when the reader of its output is gone', async () => {
  const server = start(['ignore', 'pipe', 'pipe', 'ipc'])
  server.stdout?.destroy()
  server.stderr?.destroy()
  const { exited } = await served(server)
  server.kill('SIGTERM')
  expect(await exited).toEqual(STOPPED)
})

const SILENT: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc']

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s stops a server', async (signal) => {
  const server = start(SILENT)
  const { exited } = await served(server)
  server.kill(signal)
  expect(await exited).toEqual(STOPPED)
})

test('SIGHUP stops no server that reloads on it', async () => {
  const server = start(SILENT, 'reloads')
  const { exited } = await served(server)
  for (let times = 0; times < 2; times++) {
    const reloaded = once(server, 'message')
    server.kill('SIGHUP')
    expect(await Promise.race([reloaded, exited])).toEqual(['reloaded', undefined])
  }
  server.kill('SIGTERM')
  expect(await exited).toEqual(STOPPED)
})

const start = (stdio: StdioOptions, ...args: string[]) =>
  spawn(process.execPath, [MAIN, ...args], { stdio })

/** Once it serves. @returns when it has ended */
async function served(server: ReturnType<typeof start>) {
  const exited = once(server, 'exit')
  expect(await Promise.race([once(server, 'message'), exited])).toEqual(['serving', undefined])
  return { exited }
}
