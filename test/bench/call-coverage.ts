import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from './client.ts'

/**
 * Prints how many files and functions of ours one request passes in the process of the product, by V8's call coverage:
 * `npm run bench:calls`, with `-- list` also which. docs/internals/call-coverage.md explains how it counts.
 */
const ROOT = join(import.meta.dirname, '..', '..')
/** Requests that are not counted: they load late modules and fill caches. */
const WARM_UP = 5
/** Background work runs in some rounds, the request in all. */
const ROUNDS = 7

/** Script as the inspector reports it. */
interface Script {
  url: string
  functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[]
}

/** Source maps of the files of the product, by address. */
const maps = new Map<string, Promise<{ map: SourceMap; lines: number[] } | null>>()

const folder = await mkdtemp(join(tmpdir(), 'assay-calls-'))
const product = spawn(process.execPath, ['--inspect=127.0.0.1:0', join(ROOT, 'dist/gateway.js')], {
  cwd: folder,
  env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'info' },
  stdio: ['ignore', 'pipe', 'pipe'],
})
let inspector: WebSocket | undefined
try {
  const [address, url] = await said(/(ws:\S+)\s/, /REST\s+(http:\/\/[^/]+)\//)
  inspector = new WebSocket(address)
  await once(inspector, 'open')
  const session = sessionOver(inspector)
  await session('Profiler.enable')
  await session('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const client = createClient(url)
  const json = { 'content-type': 'application/json' }
  const requests: Record<string, () => Promise<unknown>> = {
    'POST /api/v1/events, one event': () =>
      client.rest('POST', '/v1/events', {
        headers: json,
        body: JSON.stringify({ title: 'Disk almost full', source: { ref: 'db1', type: 'host' } }),
      }),
    'POST /api/testcase/{id}/execute?synchron=true': () =>
      client.rest('POST', '/testcase/loan-schedule/execute?synchron=true', {
        headers: { credentials: btoa('ci:secret') },
      }),
  }
  for (const [name, request] of Object.entries(requests)) {
    const functions = await passed(session, request)
    const files = new Set(functions.map((each) => each.split(':')[0]))
    process.stdout.write(`${name}: ${files.size} files, ${functions.length} functions\n`)
    if (process.argv.includes('list')) process.stdout.write(`${functions.sort().join('\n')}\n\n`)
  }
} finally {
  inspector?.close() // a process ends only without one
  if (product.kill('SIGTERM')) await once(product, 'exit')
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Functions of ours that ran in every round, as file, line and name. */
async function passed(session: Session, request: () => Promise<unknown>): Promise<string[]> {
  for (let i = 0; i < WARM_UP; i++) await request()
  let always: Set<string> | undefined
  for (let round = 0; round < ROUNDS; round++) {
    await session('Profiler.takePreciseCoverage') // counts from here on
    await request()
    const { result } = (await session('Profiler.takePreciseCoverage')) as { result: Script[] }
    const ran = new Set((await Promise.all(result.map(ownFunctions))).flat())
    always = new Set([...(always ?? ran)].filter((each) => ran.has(each)))
  }
  return [...(always ?? [])]
}

/** Sources of the functions of a bundled file, without those of packages. */
async function ownFunctions({ url, functions }: Script): Promise<string[]> {
  if (!url.startsWith('file:') || !fileURLToPath(url).startsWith(join(ROOT, 'dist'))) return []
  const found = maps.get(url) ?? sourceMapOf(fileURLToPath(url))
  maps.set(url, found)
  const known = await found
  if (!known) return []
  return functions
    .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
    .flatMap(({ functionName, ranges }) => {
      const at = ranges[0]?.startOffset ?? 0
      const line = lineOf(known.lines, at)
      const entry = known.map.findEntry(line, at - (known.lines[line] ?? 0))
      if (!('originalSource' in entry)) return []
      const file = relative(ROOT, join(ROOT, 'dist', entry.originalSource))
      return file.startsWith('node_modules') || file.startsWith('..')
        ? []
        : [`${file}:${entry.originalLine + 1} ${functionName}`]
    })
}

/** The line that holds an offset, by halving: a bundle has a hundred thousand lines. */
function lineOf(starts: readonly number[], offset: number): number {
  let [from, to] = [0, starts.length]
  while (to - from > 1) {
    const middle = (from + to) >> 1
    if ((starts[middle] ?? 0) <= offset) from = middle
    else to = middle
  }
  return from
}

async function sourceMapOf(path: string): Promise<{ map: SourceMap; lines: number[] } | null> {
  const text = await readFile(`${path}.map`, 'utf8').catch(() => null)
  if (text === null) return null
  const code = await readFile(path, 'utf8')
  const lines = [0, ...[...code.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return { map: new SourceMap(JSON.parse(text)), lines }
}

type Session = (method: string, params?: object) => Promise<unknown>

/** Calls of the inspector's protocol. */
function sessionOver(socket: WebSocket): Session {
  let last = 0
  return async (method, params = {}) => {
    const id = ++last
    const answered = new Promise((resolve) => {
      const hear = ({ data }: MessageEvent) => {
        const message = JSON.parse(String(data))
        if (message.id !== id) return
        socket.removeEventListener('message', hear)
        resolve(message.result)
      }
      socket.addEventListener('message', hear)
    })
    socket.send(JSON.stringify({ id, method, params }))
    return answered
  }
}

/** Matches of each pattern in the output of the product's process. */
async function said(...patterns: [RegExp, RegExp]): Promise<[string, string]> {
  let text = ''
  const { promise, resolve, reject } = Promise.withResolvers<[string, string]>()
  const look = (part: Buffer) => {
    text += part
    const [one, other] = patterns.map((pattern) => pattern.exec(text)?.[1])
    if (one && other) resolve([one, other])
  }
  product.stdout.on('data', look)
  product.stderr.on('data', look)
  product.once('close', (code, signal) =>
    reject(new Error(`Assay ended with ${signal ?? `exit code ${code}`}: ${text}`)),
  )
  return promise
}
