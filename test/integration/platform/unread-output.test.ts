import { type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, 'unread-output.main.ts')

test('a server goes on when its output goes to a full disk', async () => {
  const full = openSync('/dev/full', 'w')
  const server = start(['ignore', full, full, 'ipc'])
  closeSync(full)
  await expectToServe(server)
})

test('a server goes on when the reader of its output is gone', async () => {
  const server = start(['ignore', 'pipe', 'pipe', 'ipc'])
  server.stdout?.destroy()
  server.stderr?.destroy()
  await expectToServe(server)
})

const start = (stdio: StdioOptions) => spawn(process.execPath, [MAIN], { stdio })

async function expectToServe(server: ReturnType<typeof start>): Promise<void> {
  const exited = once(server, 'exit')
  expect(await Promise.race([once(server, 'message'), exited])).toEqual(['serving', undefined])
  server.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
}
