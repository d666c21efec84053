import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { eventually } from '../../support/eventually.ts'
import { MARK, sandboxed } from './run.ts'

const RUNNERS = new URL('../../../runner/', import.meta.url)

/** A worker with an endless scenario. */
const worker = (heapMebibytes: number) => `
  const { createSandbox } = await import('${RUNNERS}sandbox/sandbox.ts')
  const { runScenario } = await import('${RUNNERS}run/run-scenario.ts')
  const { startEvaluation } = await import('${RUNNERS}evaluation/evaluation.ts')
  const sandbox = await createSandbox({ mode: 'best-effort', limits: { heapMebibytes: ${heapMebibytes} }, ready: 2 })
  await runScenario({
    executionId: 'e', contextId: 'c', name: 'n', useCodeCoverage: false,
    component: { name: 'C', language: 'JAVASCRIPT', sourceCode: 'export function f() { for (;;); }' },
    scenario: { steps: [{ id: 'f', call: { function: 'f' } }] },
  }, { sandbox, evaluation: startEvaluation(1_000), signal: new AbortController().signal, onUpdate: ({ step }) => step && console.log('running') })`

test('a worker killed with -9 takes its sandboxed processes along, also one that never listens, and those that are ready', async () => {
  const args = ['--experimental-transform-types', '--no-warnings', '--input-type=module', '--eval']
  const child = spawn(process.execPath, [...args, worker(MARK)])
  await once(child.stdout, 'data')
  while (sandboxed().length < 3) await setTimeout(10)
  child.kill('SIGKILL')
  await once(child, 'close')
  await eventually(async () => expect(sandboxed()).toEqual([]))
})
