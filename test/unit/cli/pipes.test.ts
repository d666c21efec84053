import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { PIPE_LIMITS, readPipe } from '../../../cli/text-file.ts'
import { listen, OWN, releases, start } from '../../support/cli/command.ts'

/** A named pipe without a writer. */
function pipe(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-pipe-'))
  releases.push(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'pipe.json')
  execFileSync('mkfifo', [path])
  return path
}

const { signal } = new AbortController()

test('a named pipe is read until its writer is done', async () => {
  const path = pipe()
  const read = readPipe(path, signal)
  const size = 300_000 // more than a pipe holds
  const writer = spawn('sh', ['-c', 'head -c "$0" /dev/zero > "$1"', `${size}`, path])
  releases.push(() => writer.kill())
  expect((await read).length).toBe(size)
})

test('a named pipe that nothing writes into is left after a time, with a message', async () => {
  const path = pipe()
  await expect(readPipe(path, signal, { ...PIPE_LIMITS, idleMs: 50 })).rejects.toThrow(
    `${path} is a pipe, and nothing was written into it for 0.05 s: start the program`,
  )
})

test.each([
  ['bytes', { bytes: 10 }, 'more than 10 bytes were written into it'],
  ['time', { totalMs: 300 }, 'more than 0.3 s passed before its writer was done'],
])('a named pipe whose writer never ends is left at the limit of %s', async (_, limit, reason) => {
  const path = pipe()
  const read = readPipe(path, signal, { ...PIPE_LIMITS, ...limit })
  const writer = spawn('sh', ['-c', 'while printf 0123456789ab; do sleep 0.05; done > "$0"', path])
  releases.push(() => writer.kill())
  await expect(read).rejects.toThrow(reason)
})

test('a wait for a writer ends with its signal', async () => {
  const aborted = new AbortController()
  const read = readPipe(pipe(), aborted.signal)
  aborted.abort()
  await expect(read).rejects.toThrow('aborted')
})

test('SIGTERM ends a command that waits for the writer of a pipe', async () => {
  const path = pipe()
  const { kill, stderr, code } = start(['events', 'send', path], 'http://127.0.0.1:9')
  const writer = spawn('sh', ['-c', 'exec 3> "$0"; echo open; cat', path]) // opens with the reader
  releases.push(() => writer.kill())
  await once(writer.stdout, 'data')
  kill('SIGTERM')
  expect(await stderr).toBe('assay: Ended by SIGTERM\n')
  expect(await code).toBe(130)
})

test('the command reads a pipe that it is named', async () => {
  const path = pipe()
  let sent = ''
  const url = await listen(async (request, response) => {
    sent += await text(request)
    response.writeHead(200, OWN).end('{"result":{"sent":1}}')
  })
  const { code } = start(['events', 'send', path], url)
  const writer = spawn('sh', ['-c', `printf '{"title":"piped"}' > "$0"`, path])
  releases.push(() => writer.kill())
  await code
  expect(sent).toContain('piped')
})

test('SIGTERM ends a command that tries again', async () => {
  let requests = 0
  const url = await listen((_request, response) => {
    response.writeHead(503, OWN).end()
    requests += 1
    if (requests === 2) kill('SIGTERM')
  })
  const { stderr, code, kill } = start(['results', 'a'], url)
  expect(await stderr).toMatch(/HTTP 503\. Trying again in .*\nassay: Ended by SIGTERM\n$/s)
  expect(await code).toBe(130)
})
