import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** Undone after each test, the last first. */
export const releases: (() => unknown)[] = []
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release()
})

export const RUNNING = {
  ...{ id: '00000000-0000-4000-8000-000000000001', type: 'SUITE', contextId: 'all' },
  ...{ state: 'RUNNING', started: '2026-01-02T03:04:05Z', ended: null, message: null },
  ...{ validationFailures: [], codeCoverage: [], testCaseResults: [] },
}

export const OWN = { 'x-request-id': '1' }

/** A server that answers as the product. @param answerTo undefined for what is not found */
export const serve = (answerTo: (path: string, method: string) => unknown): Promise<string> =>
  listen(({ url = '', method = '' }, response) => {
    const body = answerTo(url, method)
    response.writeHead(body === undefined ? 404 : 200, OWN).end(JSON.stringify(body ?? {}))
  })

/** @param onConnection called for each connection, also without a request */
export async function listen(
  listener: RequestListener,
  onConnection: () => void = () => {},
): Promise<string> {
  const server = createServer(listener).on('connection', onConnection).listen(0, '127.0.0.1')
  releases.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

/** The command runs on Node 20, so it gets none of what came later. */
const AS_NODE_20 = resolve('test/support/as-node-20.ts')
const MAIN = resolve('cli/main.ts')

/** Starts the command. @param stdout file that it writes to @param more how it is started otherwise */
export function start(
  args: readonly string[],
  url: string,
  stdout?: string,
  more: { cwd?: string; hasInput?: boolean; env?: Record<string, string> } = {},
) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', AS_NODE_20, MAIN, ...args],
    {
      cwd: more.cwd,
      env: { PATH: process.env.PATH, ASSAY_URL: url, ...more.env },
      stdio: [
        more.hasInput ? 'pipe' : 'ignore',
        stdout === undefined ? 'pipe' : openSync(stdout, 'w'),
        'pipe',
      ],
    },
  )
  releases.push(() => child.kill('SIGKILL'))
  const stderr = text(child.stderr ?? Readable.from([]))
  const code = once(child, 'exit').then(([exitCode]) => Number(exitCode))
  return { stdin: child.stdin, stdout: child.stdout, stderr, code, kill: child.kill.bind(child) }
}
