import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { MARK, survivors } from './run.ts'

const RUNNERS = new URL('../../../subgraphs/test-execution/runners/', import.meta.url)

/** A worker with an endless scenario. */
const worker = (heapMebibytes: number) => `
  const { createSandbox } = await import('${RUNNERS}sandbox/sandbox.ts')
  const { runScenario } = await import('${RUNNERS}run-scenario.ts')
  const sandbox = await createSandbox({ mode: 'best-effort', limits: { heapMebibytes: ${heapMebibytes} } })
  await runScenario({
    executionId: 'e', contextId: 'c', name: 'n', useCodeCoverage: false,
    component: { name: 'C', language: 'JAVASCRIPT', sourceCode: 'export function f() { for (;;); }' },
    scenario: { steps: [{ id: 'f', call: { function: 'f' } }] },
  }, { sandbox, signal: new AbortController().signal, onUpdate: ({ step }) => step && console.log('running') })`

test('a worker killed with -9 takes its sandboxed process along, also one that never listens', async () => {
  const args = ['--experimental-transform-types', '--no-warnings', '--input-type=module', '--eval']
  const child = spawn(process.execPath, [...args, worker(MARK)])
  await once(child.stdout, 'data')
  expect(survivors()).not.toEqual([])
  child.kill('SIGKILL')
  await once(child, 'close')
  for (let tries = 0; tries < 40 && survivors().length > 0; tries += 1) await setTimeout(50)
  expect(survivors()).toEqual([])
})
