import { asRequest } from '../../../subgraphs/shared/request-scope.ts'
import {
  type EvaluationThreads,
  startEvaluation,
} from '../../../subgraphs/test-execution/runners/evaluation/evaluation.ts'
import type { Expectation } from '../../../subgraphs/test-execution/runners/expectations/expectation.ts'

const row = (path: string, assert: Expectation['assert'], value?: unknown) => ({
  path,
  assert,
  value,
})
const SLOW = row('$.text', 'matches', '^(a+)+$')
const RESULT = {
  text: `${'a'.repeat(40)}!`,
  wide: Array.from({ length: 1_000 }, () => [[[[[[[['a', 1]]]]]]]]),
  many: Array.from({ length: 20_000 }, (_, n) => ({ n })),
}
const TOO_SLOW = expect.objectContaining({ code: 'EXPECTATION_TOO_SLOW' })

let evaluation: EvaluationThreads
beforeEach(() => {
  evaluation = startEvaluation(300)
})
afterEach(() => evaluation.stop())

const judge = (...expectations: Expectation[]) =>
  evaluation.run('judge', { expectations, result: RESULT })

/** Processor time of this thread, in ms: what others do with the machine does not count. */
function busyMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** How long this thread was busy at a time, at most, while something ran. */
async function longestPause(work: Promise<unknown>): Promise<number> {
  let longest = 0
  let last = busyMs()
  const timer = setInterval(() => {
    longest = Math.max(longest, busyMs() - last)
    last = busyMs()
  }, 5)
  await work.catch(() => {})
  clearInterval(timer)
  return longest
}

test.each([
  ['a pattern that backtracks', SLOW],
  ['a filter that backtracks', row("$[?search(@, '(a+)+b')]", 'exists')],
  ['a path that selects too much', row(`$${'..*'.repeat(14)}`, 'exists')],
  [
    'a schema with a pattern that backtracks',
    row('$.text', 'schema', { type: 'string', pattern: '^(a+)+$' }),
  ],
  ['a schema that compares all with all', row('$.many', 'schema', { uniqueItems: true })],
])('%s is ended, and delays nothing else', async (_, expectation) => {
  const judging = judge(expectation)
  const pause = await longestPause(judging)
  await expect(judging).rejects.toEqual(TOO_SLOW)
  await expect(judging).rejects.toThrow('longer than 300 ms, which EVALUATION_MS allows')
  expect(pause).toBeLessThan(500)
  await expect(judge(row('$.text', 'matches', '^a+!$'))).resolves.toMatchObject({ unmet: [] })
})

test('what takes too much memory is ended', async () => {
  const text = `a: &a ["${'x'.repeat(1_000)}"]\n`
  const aliases = Array.from({ length: 50 }, () => '*a').join(', ')
  const bomb = [...'bcdefgh'].reduce(
    (yaml, name, at) =>
      `${yaml}${name}: &${name} [${aliases.replaceAll('a', 'abcdefg'[at] ?? '')}]\n`,
    text,
  )
  await expect(evaluation.run('readScenario', bomb)).rejects.toThrow(/no YAML|than \d+ Mi?B/)
})

test('one request has one budget, and the next one its own', async () => {
  const { ofRequests } = evaluation
  const evaluate = () =>
    ofRequests.run('evaluate', { expectation: SLOW, actual: RESULT, ignoreCase: false })
  const began = process.cpuUsage()
  const all = await asRequest(() =>
    Promise.allSettled(Array.from({ length: 49 }, () => evaluate())),
  )
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(5_000)
  expect(all).toEqual(all.map(() => ({ status: 'rejected', reason: TOO_SLOW })))
  const good = { ...SLOW, value: '^a+!$' }
  await expect(
    asRequest(() =>
      ofRequests.run('evaluate', { expectation: good, actual: RESULT, ignoreCase: false }),
    ),
  ).resolves.toBeNull()
})
