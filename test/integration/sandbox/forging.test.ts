import { detectCapabilities } from '../../../runner/sandbox/capabilities.ts'
import { sandboxCommand } from '../../../runner/sandbox/command.ts'
import {
  type ComponentProcess,
  ControlledProcess,
} from '../../../runner/sandbox/component-process.ts'
import { KeptProcesses } from '../../../runner/sandbox/kept-processes.ts'
import { createLauncher } from '../../../runner/sandbox/launcher.ts'
import { DEFAULT_LIMITS } from '../../../runner/sandbox/sandbox-limits.ts'

/** A slow machine must not end what a test still uses. */
const LIMITS = { ...DEFAULT_LIMITS, endMs: 60_000, reuseIdleMs: 60_000 }

const launcher = createLauncher()
afterAll(() => launcher.stop())

/** A child that has the harness' place and its descriptors: `say` writes whatever it likes. */
async function launch(onRequest: string) {
  const code = `
    const { read, writeSync } = process.getBuiltinModule('fs')
    const say = (text, encoding = 'latin1') => {
      const bytes = Buffer.from(text, encoding)
      for (let sent = 0; sent < bytes.length; ) sent += writeSync(0, bytes, sent)
    }
    const send = (message) => say(JSON.stringify({ run: 1, ...message }) + '\\n', 'utf8')
    const onRequest = ({ id, kind, run }) => { ${onRequest} }
    const chunk = Buffer.alloc(65536)
    const listen = () => read(0, chunk, 0, chunk.length, null, (error, length) => {
      if (error || length === 0) process.exit()
      for (const line of chunk.toString('utf8', 0, length).trim().split('\\n')) onRequest(JSON.parse(line))
      listen()
    })
    send({ kind: 'READY', run: 0 })
    listen()`
  const command = sandboxCommand(await detectCapabilities('best-effort'), DEFAULT_LIMITS, code)
  return launcher.launch(command)
}

function listen() {
  const hits: number[][] = []
  const logs: string[] = []
  const onLog = (_: unknown, text: string) => void logs.push(text)
  const onHits = (statements: number[]) => void hits.push(statements)
  return { hits, logs, listener: { onLog, onHits } }
}

async function start(onRequest: string) {
  const { listener, ...seen } = listen()
  return { child: new ControlledProcess(await launch(onRequest), LIMITS, listener), ...seen }
}

const never = new AbortController().signal
const call = (child: ComponentProcess) => child.call('f', [], never)

test.each([
  ['an answer to a call of another component', "send({ kind: 'RESULT', id: id + 1, value: 42 })"],
  [
    'a second answer',
    "send({ kind: 'RESULT', id, value: 1 }); send({ kind: 'RESULT', id, value: 42 })",
  ],
  ['an answer before the request', "send({ kind: 'RESULT', id: id + 7, hits: [1], value: 42 })"],
  ['that it is ready, once more', "send({ kind: 'READY', run: 0 })"],
  ['an answer for an earlier run', "send({ run: 0, kind: 'RESULT', id, hits: [1], value: 42 })"],
  ['an answer for the next run', "send({ run: 2, kind: 'RESULT', id, hits: [1], value: 42 })"],
  ['an answer for no run', "send({ run: null, kind: 'RESULT', id, hits: [1], value: 42 })"],
  ['that its run has ended, without being asked', "send({ kind: 'ENDED' })"],
  ['messages without end', "for (;;) send({ kind: 'READY', run: 0 })"],
  ['a line without end', "for (;;) say('x'.repeat(65536))"],
  ['no JSON', "say('\\xff\\x00\\x01{\\n')"],
  ['JSON that is no message', "say('[[42]]\\n')"],
  ['a message of another kind', "send({ kind: 'FINISH', id, state: 'COMPLETED' })"],
])('a child that sends %s ends itself and answers nothing', async (_, onRequest) => {
  const { child, hits } = await start(onRequest)
  const { child: neighbour } = await start("send({ kind: 'RESULT', id, value: 'own' })")
  const [answer, own] = await Promise.allSettled([call(child), call(neighbour)])
  expect(own).toEqual({ status: 'fulfilled', value: 'own' })
  if (answer.status === 'fulfilled') expect(answer.value).toBe(1)
  await expect(call(child)).rejects.toMatchObject({ code: 'MESSAGE_LIMIT' })
  expect(hits.flat()).toEqual([])
  await Promise.all([child.stop(), neighbour.stop()])
})

const LARGE_LOG = "send({ kind: 'LOG', text: 'large', junk: '-'.repeat(3_000_000) })"

test.each([
  ['all at once', `for (;;) ${LARGE_LOG}`],
  ['in many small ones', "for (;;) send({ kind: 'LOG', text: 'small', junk: '-'.repeat(500) })"],
  [
    'after its answer',
    `send({ kind: 'RESULT', id, value: 1 }); setTimeout(() => ${LARGE_LOG}, 50)`,
  ],
])('what log messages carry besides their text counts as log, sent %s', async (_, onRequest) => {
  const { child, logs } = await start(onRequest)
  await call(child).catch(() => {})
  while (!child.hasEnded()) await new Promise(setImmediate)
  await expect(call(child)).rejects.toMatchObject({ code: 'OUTPUT_LIMIT' })
  expect(logs).not.toContain('large')
  expect(logs.length).toBeLessThan(DEFAULT_LIMITS.outputBytes / 500)
  await child.stop()
})

test('a child that writes to its error output without end is ended', async () => {
  const { child } = await start("for (;;) writeSync(2, '-'.repeat(65536))")
  const writing = child.call('f', [], AbortSignal.timeout(120_000))
  await expect(writing).rejects.toMatchObject({ code: 'OUTPUT_LIMIT' })
  await child.stop()
})

test('a result may be as large as its limit while the log is nearly full', async () => {
  const { child, logs } = await start(`
    send({ kind: 'LOG', text: '-'.repeat(${DEFAULT_LIMITS.outputBytes - 100}) })
    send({ kind: 'RESULT', id, value: '\u20ac'.repeat(${DEFAULT_LIMITS.messageBytes - 100}) })`)
  expect(await call(child)).toHaveLength(DEFAULT_LIMITS.messageBytes - 100)
  expect(logs.map(({ length }) => length)).toEqual([DEFAULT_LIMITS.outputBytes - 100])
  await child.stop()
})

test('a crash that a child invents ends its own calls alone, and its text is a claim', async () => {
  const { child } = await start(
    "send({ kind: 'CRASH', error: { name: 7, message: 'invented', stack: null } })",
  )
  await expect(call(child)).rejects.toMatchObject({ code: 'CRASHED', message: 'invented' })
  expect(child.hasEnded()).toBe(true)
  await child.stop()
})

test('statements are whole numbers from 0, and every other claim is dropped', async () => {
  const claimed = '[0, 3, -1, 1.5, "4", null, [5], {}, 9007199254740993]'
  const { child, hits } = await start(`send({ kind: 'RESULT', id, hits: ${claimed}, value: 1 })`)
  expect(await call(child)).toBe(1)
  expect(hits).toEqual([[0, 3]])
  await child.stop()
})

const ANSWER = "if (kind === 'CALL') send({ run, kind: 'RESULT', id, hits: [run], value: run });"
const END = "if (kind === 'END') send({ run, kind: 'ENDED' });"

test('a process that ends its run has the next one, with the next number', async () => {
  const kept = new KeptProcesses(LIMITS)
  const { listener, hits } = listen()
  const first = kept.begin('key', await launch(ANSWER + END), listener)
  expect(await call(first)).toBe(1)
  await first.stop(true)
  expect(kept.take('other', listener)).toBeNull()
  const second = kept.take('key', listener)
  expect(second && (await call(second))).toBe(2)
  expect(hits).toEqual([[1], [2]])
  await expect(call(first)).rejects.toMatchObject({ code: 'CRASHED' })
  await second?.stop(true)
  await kept.stop()
})

test.each([
  ['does not end it', ANSWER],
  ['ends another one', `${ANSWER} if (kind === 'END') send({ run: 2, kind: 'ENDED' })`],
  [
    'answers after its end',
    `${ANSWER} ${END} if (kind === 'END') send({ kind: 'LOG', text: 'x' })`,
  ],
  ['leaves half a line', `${ANSWER} ${END} if (kind === 'END') say('{"run":2,')`],
  ['speaks later', `${ANSWER} ${END} if (kind === 'END') setTimeout(() => say('x'), 20)`],
  [
    'crashes afterwards',
    `${ANSWER} ${END} if (kind === 'END') setTimeout(() => process.exit(1), 20)`,
  ],
])('a process that %s has no other run', async (_, onRequest) => {
  const kept = new KeptProcesses(DEFAULT_LIMITS)
  const child = await launch(onRequest)
  const { listener } = listen()
  const first = kept.begin('key', child, listener)
  expect(await call(first)).toBe(1)
  await first.stop(true)
  await child.exited
  expect(kept.take('key', listener)).toBeNull()
  await kept.stop()
})

test('a process that answers its next run with the number of the last one ends', async () => {
  const kept = new KeptProcesses(LIMITS)
  const { listener, hits } = listen()
  const stale = `${END} if (kind === 'CALL') send({ run: 1, kind: 'RESULT', id, hits: [run], value: 42 })`
  const first = kept.begin('key', await launch(stale), listener)
  expect(await call(first)).toBe(42)
  await first.stop(true)
  const second = kept.take('key', listener)
  await expect(second && call(second)).rejects.toMatchObject({ code: 'MESSAGE_LIMIT' })
  expect(hits).toEqual([[1]])
  await second?.stop(true)
  await kept.stop()
})
