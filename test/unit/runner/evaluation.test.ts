import { openCaller } from '../../../platform/access/caller.ts'
import { asOperation } from '../../../platform/tracing/trace.ts'
import { type EvaluationProcesses, startEvaluation } from '../../../runner/evaluation/evaluation.ts'
import type { Expectation } from '../../../runner/expectations/expectation.ts'
import { leastOf, processorMs } from '../../support/processor-ms.ts'

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
const GOOD = row('$', 'equals', 'a')
const TOO_SLOW = expect.objectContaining({ code: 'EXPECTATION_TOO_SLOW' })

let evaluation: EvaluationProcesses
beforeEach(() => {
  evaluation = startEvaluation(300)
})
afterEach(() => evaluation.stop())

const judge = (...expectations: Expectation[]) =>
  evaluation.run('judge', { expectations, result: RESULT })

/** Longest time that this thread was busy while something ran. */
async function longestPause(work: Promise<unknown>): Promise<number> {
  let longest = 0
  let last = processorMs()
  const timer = setInterval(() => {
    longest = Math.max(longest, processorMs() - last)
    last = processorMs()
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
  const pause = async () => {
    const judging = judge(expectation)
    const longest = await longestPause(judging)
    await expect(judging).rejects.toEqual(TOO_SLOW)
    await expect(judging).rejects.toThrow('longer than 300 ms, which EVALUATION_MS allows')
    return longest
  }
  expect(await leastOf(500, pause)).toBeLessThan(500)
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

test.each([
  ['more selectors', `$[${Array(200).fill('*').join()}]`, /200 selectors, and 100 are allowed/],
  ['more values', `$[${Array(90).fill('*').join()}]`, /more than 100000 values/],
])('a path with %s than allowed is refused, and the process lives', async (_, path, message) => {
  // Time until then depends on the machine.
  const patient = startEvaluation(20_000)
  try {
    const actual = Array(120_000).fill(0)
    const expectation = row(path, 'exists')
    const evaluating = patient.ofRequests.run('evaluate', {
      expectation,
      actual,
      ignoreCase: false,
    })
    await expect(evaluating).rejects.toThrow(message)
  } finally {
    await patient.stop()
  }
})

test('an evaluation that needs more memory at once than there is costs no other', async () => {
  const patient = startEvaluation(20_000)
  try {
    const path = `$[?count($[${Array(90).fill('*').join()}]) > 1]`
    const evaluate = (expectation: Expectation) => {
      const actual = Array(120_000).fill(0)
      return patient.ofRequests.run('evaluate', { expectation, actual, ignoreCase: false })
    }
    await expect(evaluate(row(path, 'exists'))).rejects.toThrow('more memory than 200 MiB')
    await expect(evaluate(row('$[0]', 'equals', 0))).resolves.toBeNull()
  } finally {
    await patient.stop()
  }
})

test('requests beyond the room of a caller are told to come again, executions wait', async () => {
  const caller = { ...openCaller('r'), user: 'many' }
  const evaluate = () =>
    asOperation(
      () =>
        evaluation.ofRequests.run('evaluate', {
          expectation: GOOD,
          actual: 'a',
          ignoreCase: false,
        }),
      caller,
    )
  const all = await Promise.allSettled(Array.from({ length: 60 }, evaluate))
  const refused = all.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(9) // one runs, and 50 wait
  expect(refused[0]).toMatchObject({
    reason: { extensions: { code: 'OVERLOADED', retryAfterSeconds: 1 } },
  })
  const judged = Array.from({ length: 60 }, () => judge(row('$.text', 'matches', '^a+!$')))
  await expect(Promise.all(judged)).resolves.toHaveLength(60)
})

test('executions take turns, whatever one of them has to judge', async () => {
  const [many, one] = [evaluation.ofExecution('many'), evaluation.ofExecution('one')]
  const expectations = [row('$.text', 'matches', '^a+!$')]
  const order: string[] = []
  const judgeFor = ({ run }: typeof many, name: string) =>
    run('judge', { expectations, result: RESULT }).then(() => order.push(name))
  const all = [...Array.from({ length: 20 }, () => judgeFor(many, 'many')), judgeFor(one, 'one')]
  await Promise.all(all)
  expect(order.indexOf('one')).toBeLessThanOrEqual(2)
})

test('one request has one budget, and the next one its own', async () => {
  const { ofRequests } = evaluation
  const evaluate = () =>
    ofRequests.run('evaluate', { expectation: SLOW, actual: RESULT, ignoreCase: false })
  const began = performance.now()
  const all = await asOperation(() =>
    Promise.allSettled(Array.from({ length: 49 }, () => evaluate())),
  )
  // With a budget each, they would take 49 × 300 ms.
  expect(performance.now() - began).toBeLessThan(49 * 300)
  expect(all).toEqual(all.map(() => ({ status: 'rejected', reason: TOO_SLOW })))
  const good = { ...SLOW, value: '^a+!$' }
  await expect(
    asOperation(() =>
      ofRequests.run('evaluate', { expectation: good, actual: RESULT, ignoreCase: false }),
    ),
  ).resolves.toBeNull()
})
