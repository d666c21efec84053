import {
  type DetailedExecutionResult,
  encoded,
  execute,
  PASSWORD,
  RESULT_FIELDS,
  readDetails,
  readResult,
  SCENARIOS,
  TIMESTAMP,
  USER_ID,
} from '../../conformance/executions.ts'
import { product } from '../../conformance/row.ts'
import { startCollector } from '../../support/collector.ts'
import {
  createGatedScenario,
  createScenario,
  ended,
  replaceSource,
  run,
  start,
} from '../../support/e2e/scenarios.ts'
import { useGate } from '../../support/gate.ts'

describe('execute', () => {
  const FINAL = { 'loan-schedule': 'COMPLETED', 'tax-table': 'FAILED', 'shipping-quote': 'ERROR' }

  test.each(SCENARIOS)('%s runs at once and reaches its final state later', async (scenario) => {
    const begun = await start(scenario)
    expect(begun).toMatchObject({
      contextId: scenario,
      ended: null,
      message: null,
      codeCoverage: [],
    })
    const result = await ended(begun.id)
    expect(result).toMatchObject({ id: begun.id, state: FINAL[scenario], started: begun.started })
    expect(result.ended).toMatch(TIMESTAMP)
  })

  test.each(SCENARIOS)('%s answers a caller that waits with its final state', async (scenario) => {
    const result = await run(scenario)
    expect(result.state).toBe(FINAL[scenario])
    expect((await readResult(result.id)).body).toEqual(result)
  })

  test('the data-driven example opens a day, has a row for each currency, and closes the day', async () => {
    const { id, state, message } = await run('currency-exchange')
    expect({ state, message }).toEqual({ state: 'COMPLETED', message: '' })
    const { report, log } = (await readDetails(id)).body
    expect(report.match(/<row [^>]*resultType="SUCCESS"/g)).toHaveLength(3)
    expect(log).toMatch(/INFO Currency exchange {2}2026-01-30 opens with 3 rates\n/)
    expect(log).toMatch(/INFO Currency exchange {2}2026-01-30 is closed\n/)
  })

  test('the details hold every documented field', async () => {
    const { id } = await run('loan-schedule')
    const { body } = await readDetails(id)
    expect(Object.keys(body).sort()).toEqual([...RESULT_FIELDS, 'report', 'log'].sort())
    expect(body).toEqual({
      id,
      type: 'TEST',
      contextId: 'loan-schedule',
      testCaseResults: [],
      state: 'COMPLETED',
      started: expect.stringMatching(TIMESTAMP),
      ended: expect.stringMatching(TIMESTAMP),
      message: '',
      executedBy: 'tester',
      validationFailures: [],
      useCodeCoverage: true,
      report: expect.stringContaining('<XaUnitResult'),
      log: expect.stringContaining('Step interest COMPLETED'),
      codeCoverage: [
        {
          componentName: 'Loan schedule',
          coveragePercentage: 87,
          level: 'LINE',
          tags: expect.any(Array),
          sourceCode: expect.stringContaining('export function schedule'),
          hitLines: [3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 20, 23],
          untouchedLines: [4, 21],
          executionCount: 1,
        },
      ],
    } satisfies Record<keyof DetailedExecutionResult, unknown>)
  })

  test('a failed expectation says what was expected and what came', async () => {
    const { validationFailures } = await run('tax-table')
    expect(validationFailures).toEqual([
      expect.objectContaining({ stepId: 'top-income', expectedValue: 0.45, actualValue: 0.42 }),
    ])
  })

  test('another source gets other hit lines', async () => {
    const source = (branch: string) =>
      `export function size(n) {\n  if (n ${branch} 10) {\n    return 'small'\n  }\n  return 'large'\n}\n`
    const id = await createScenario(source('<'), [
      { id: 'size', call: { function: 'size', args: [5] } },
    ])
    const coverage = async () => {
      const { body } = await readDetails((await run(id)).id)
      const [{ hitLines, untouchedLines, coveragePercentage, sourceCode } = fail()] =
        body.codeCoverage
      return { hitLines, untouchedLines, coveragePercentage, sourceCode }
    }
    expect(await coverage()).toEqual({
      hitLines: [2, 3],
      untouchedLines: [5],
      coveragePercentage: 67,
      sourceCode: source('<'),
    })
    await replaceSource(id, source('>'))
    expect(await coverage()).toEqual({
      hitLines: [2, 5],
      untouchedLines: [3],
      coveragePercentage: 67,
      sourceCode: source('>'),
    })
  })

  test('executions run side by side, each to its own end', async () => {
    const begun = await Promise.all(
      Array.from({ length: 12 }, (_, i) => execute(`/execute/${SCENARIOS[i % 3]}?synchron=true`)),
    )
    expect(begun.map(({ body }) => body.state)).toEqual(
      Array.from({ length: 4 }, () => ['COMPLETED', 'FAILED', 'ERROR']).flat(),
    )
  })

  function fail(): never {
    throw new Error('There is no coverage')
  }

  const gate = useGate()

  test('a caller that waits and leaves stops nothing', async () => {
    const collector = await startCollector()
    try {
      const scenario = await createGatedScenario(gate())
      const query = new URLSearchParams({ synchron: 'true', callbackUrl: collector.url })
      const leaving = new AbortController()
      const answer = fetch(`${product().base}/testcase/${scenario}/execute?${query}`, {
        method: 'POST',
        headers: { credentials: encoded(USER_ID, PASSWORD) },
        signal: leaving.signal,
      })
      await Promise.race([gate().reached(1), answer])
      leaving.abort()
      await expect(answer).rejects.toThrow()
      gate().open()
      const [request] = await collector.received(1)
      expect(JSON.parse(request?.body ?? '')).toMatchObject({ state: 'COMPLETED' })
    } finally {
      await collector.stop()
    }
  })
})
