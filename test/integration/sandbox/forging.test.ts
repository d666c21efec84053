import { detectCapabilities } from '../../../subgraphs/test-execution/runners/sandbox/capabilities.ts'
import { sandboxCommand } from '../../../subgraphs/test-execution/runners/sandbox/command.ts'
import {
  type ComponentProcess,
  controlProcess,
} from '../../../subgraphs/test-execution/runners/sandbox/component-process.ts'
import { createLauncher } from '../../../subgraphs/test-execution/runners/sandbox/launcher.ts'
import { DEFAULT_LIMITS } from '../../../subgraphs/test-execution/runners/sandbox/limits.ts'

const launcher = createLauncher()
afterAll(() => launcher.stop())

/** A child that has the harness' place and its descriptors: `say` writes whatever it likes. */
async function start(onRequest: string) {
  const code = `
    const { read, writeSync } = process.getBuiltinModule('fs')
    const say = (text, encoding = 'latin1') => {
      const bytes = Buffer.from(text, encoding)
      for (let sent = 0; sent < bytes.length; ) sent += writeSync(0, bytes, sent)
    }
    const send = (message) => say(JSON.stringify(message) + '\\n', 'utf8')
    const onRequest = ({ id }) => { ${onRequest} }
    const chunk = Buffer.alloc(65536)
    const listen = () => read(0, chunk, 0, chunk.length, null, (error, length) => {
      if (error || length === 0) process.exit()
      for (const line of chunk.toString('utf8', 0, length).trim().split('\\n')) onRequest(JSON.parse(line))
      listen()
    })
    send({ kind: 'READY' })
    listen()`
  const command = sandboxCommand(await detectCapabilities('best-effort'), DEFAULT_LIMITS, code)
  const hits: number[][] = []
  const logs: string[] = []
  const child = controlProcess(await launcher.launch(command), DEFAULT_LIMITS, {
    onLog: (_, text) => void logs.push(text),
    onHits: (statements) => void hits.push(statements),
  })
  return { child, hits, logs }
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
  ['that it is ready, once more', "send({ kind: 'READY' })"],
  ['messages without end', "for (;;) send({ kind: 'READY' })"],
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
  const writing = child.call('f', [], AbortSignal.timeout(20_000))
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
