import { existsSync } from 'node:fs'
import { errorCode } from '../../../platform/data-dir/error-code.ts'
import type { Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { createSandbox } from '../../../runner/sandbox/sandbox.ts'
import { descendantsOf } from '../../support/process-tree.ts'
import { MARK, run, sandboxed } from './run.ts'

const READY = 2
const ONCE = `globalThis.runs = (globalThis.runs ?? 41) + 1
  export const f = () => globalThis.runs`

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await createSandbox({
    mode: 'best-effort',
    limits: { heapMebibytes: MARK },
    ready: READY,
    reuse: false,
  })
})
afterEach(async () => {
  await sandbox.stop()
  expect(sandboxed()).toEqual([])
})

/** Those that were started in advance. */
async function prepared(): Promise<string[]> {
  sandbox.prepare()
  while (sandboxed().length < READY) await new Promise(setImmediate)
  return sandboxed()
}

test('nothing starts before it is asked for; then every process is used once and replaced', async () => {
  expect(sandboxed()).toEqual([])
  const before = await prepared()
  for (let round = 0; round < READY + 1; round++)
    expect(await run({ sandbox, source: ONCE })).toMatchObject({ state: 'COMPLETED' })
  while (sandboxed().length < READY) await new Promise(setImmediate)
  expect(sandboxed().filter((pid) => before.includes(pid))).toEqual([])
})

/** Kills a process; its maker of namespaces ends with it, maybe before. */
function kill(pid: string): void {
  try {
    process.kill(Number(pid), 'SIGKILL')
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

test('one that ended while nobody used it is not given away', async () => {
  const killed = await prepared()
  for (const pid of killed) kill(pid)
  while (killed.some((pid) => existsSync(`/proc/${pid}`))) await new Promise(setImmediate)
  expect(await run({ sandbox, source: ONCE })).toMatchObject({ state: 'COMPLETED' })
})

test('when what starts the processes is killed they go with it, and the next execution starts it again', async () => {
  const known = await prepared()
  const below = await descendantsOf([process.pid])
  const parents = below.filter(({ pid }) => known.includes(String(pid))).map(({ parent }) => parent)
  const spawners = below.filter(
    ({ pid, command }) => parents.includes(pid) && command.includes('sandbox/spawner.js'),
  )
  expect(spawners).toHaveLength(1)
  for (const { pid } of spawners) process.kill(pid, 'SIGKILL')
  while (known.some((pid) => existsSync(`/proc/${pid}`))) await new Promise(setImmediate)
  expect(await run({ sandbox, source: ONCE })).toMatchObject({ state: 'COMPLETED' })
})

test('nothing is ready where strict mode refuses code', async () => {
  const strict = await createSandbox({
    mode: 'strict',
    limits: { heapMebibytes: MARK },
    ready: READY,
    detect: async () => ({
      ...sandbox.capabilities,
      mode: 'strict',
      missing: [{ wall: 'limits', reason: 'none' }],
    }),
  })
  strict.prepare()
  expect(sandboxed()).toEqual([])
  await strict.stop()
})
