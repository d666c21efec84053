import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { TaskProcesses } from '../../../../platform/task-processes/task-processes.ts'
import { descendantsOf, survivorsOf } from '../../../support/process-tree.ts'
import { budget, startPool } from '../../../support/task-processes/pool.ts'

const PROGRAM = 'task-processes/program.ts'
const ownProcesses = async () =>
  (await descendantsOf([process.pid])).filter(({ command }) => command.includes(PROGRAM))

let pool: TaskProcesses | undefined
afterEach(async () => {
  await pool?.stop()
  expect(await ownProcesses()).toEqual([])
})

test('a single large allocation is refused, and costs nobody else anything', async () => {
  pool = startPool()
  await expect(pool.run('allocate', null, budget())).rejects.toThrow('too much memory')
  await expect(pool.run('echo', { a: [1, null] }, budget())).resolves.toEqual({ a: [1, null] })
})

test('a reply that is too large is refused in the process that made it', async () => {
  pool = startPool({ heapMebibytes: 200 })
  await expect(pool.run('reply', 40, budget())).rejects.toThrow('too much memory')
  await expect(pool.run<string>('reply', 20, budget())).resolves.toHaveLength(20 * 2 ** 20)
})

test('what takes too long is ended, also when others wait behind it', async () => {
  pool = startPool()
  const [loop, echo] = [pool.run('loop', null, budget(200)), pool.run('echo', 1, budget())]
  await expect(loop).rejects.toThrow('too much time')
  await expect(echo).resolves.toBe(1)
})

test('preparing is charged to no task', async () => {
  pool = startPool({ data: { prepareMs: 1_500 } })
  await expect(pool.run('echo', 1, budget(500))).resolves.toBe(1)
})

test('once stopped, nothing runs, waits or starts', async () => {
  pool = startPool()
  await pool.run('echo', 1, budget())
  const tasks = [1, 2, 3].map(() => pool?.run('loop', null, budget(60_000)))
  const ended = Promise.allSettled(tasks)
  await new Promise((resolve) => setTimeout(resolve, 100))
  await pool.stop()
  expect(await ended).toEqual(
    tasks.map(() => expect.objectContaining({ status: 'rejected', reason: expect.any(Error) })),
  )
  expect(await ownProcesses()).toEqual([])
  await expect(pool.run('echo', 1, budget())).rejects.toThrow('were stopped')
})

test('owners take turns, and each has its share of the room', async () => {
  const tasks = startPool({ maxWaitingOfOne: 3 })
  pool = tasks
  const order: string[] = []
  const add = (owner: string) =>
    tasks.run('echo', owner, budget(), owner).then(() => order.push(owner))
  const first = add('many')
  const waiting = [...Array(3).fill('many'), 'one', 'other'].map(add)
  await expect(add('many')).rejects.toThrow('too much waiting')
  await Promise.all([first, ...waiting])
  expect(order).toEqual(['many', 'many', 'one', 'other', 'many', 'many'])
})

test('a task that waits is taken out by its signal, one that runs is not', async () => {
  pool = startPool()
  const [running, waiting] = [new AbortController(), new AbortController()]
  const run = (ms: number, { signal }: AbortController) =>
    pool?.run('wait', ms, budget(), 'owner', signal)
  const first = run(200, running)
  const second = run(60_000, waiting)
  const third = pool.run('echo', 3, budget(), 'owner')
  await new Promise(setImmediate)
  running.abort(new Error('too late'))
  waiting.abort(new Error('cancelled'))
  await expect(second).rejects.toThrow('cancelled')
  await expect(run(60_000, waiting)).rejects.toThrow('cancelled')
  await first
  await expect(third).resolves.toBe(3)
})

test('a process whose parent is killed ends, although its task never does', async () => {
  const parent = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../../support/task-processes/parent.ts', import.meta.url))],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(parent.stdout, 'data')
  const children = await descendantsOf([parent.pid ?? 0])
  expect(children).toEqual([expect.objectContaining({ command: expect.stringContaining(PROGRAM) })])
  parent.kill('SIGKILL')
  expect(await survivorsOf(children, 10_000)).toEqual([])
})
