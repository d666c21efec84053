import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '../../../cli/client.ts'
import type { Context } from '../../../cli/command.ts'
import { compare } from '../../../cli/commands/compare.ts'
import { writeReports } from '../../../cli/run/reports.ts'
import type { Result } from '../../../cli/run/result.ts'

/** A suite with one scenario, by environment. */
const resultOf = (id: string, states: Record<string, string>) =>
  ({
    ...{ id, type: 'SUITE', contextId: 'all', codeCoverage: [] },
    testCaseResults: Object.entries(states).map(([environment, state]) => ({
      ...{ id: `${id}-${environment}`, contextId: 'price', state, message: environment },
    })),
  }) as unknown as Result // only what is read

/** The product with these results. */
const clientOf = (...results: Result[]) => {
  const found = (path: string) =>
    results.find(({ id }) => path === `/result/${id}`) ?? { report: path }
  return {
    rest: async (_method: string, path: string) => found(path),
    graphql: async (_query: string, { id }: { id: string }) => ({
      executionResult: {
        testCaseResults: results
          .filter((each) => each.id === id)
          .flatMap(({ testCaseResults }) => testCaseResults)
          .map((each) => ({ id: each.id, environmentId: each.message })),
      },
    }),
  } as unknown as Client
}

async function compared(before: Result, after: Result) {
  const lines: string[] = []
  const terminal = {
    line: (line: string) => lines.push(line),
    json: () => {},
    paint: (_style: string, text: string) => text,
  }
  const client = clientOf(before, after)
  const code = await compare.run({
    args: [before.id, after.id],
    ...{ client, terminal },
  } as unknown as Context)
  return { code, lines }
}

test('a scenario that differs in one of several environments is a difference', async () => {
  const before = resultOf('a', { stage: 'COMPLETED', test: 'COMPLETED' })
  const after = resultOf('b', { stage: 'FAILED', test: 'COMPLETED' })
  expect(await compared(before, after)).toEqual({
    code: 1,
    lines: ['price in stage: COMPLETED → FAILED stage'],
  })
  expect(await compared(before, before)).toMatchObject({ code: 0 })
})

test('runs of one environment each are compared whatever it is', async () => {
  const [before, after] = [resultOf('a', { stage: 'FAILED' }), resultOf('b', { test: 'FAILED' })]
  expect(await compared(before, after)).toMatchObject({ code: 0 })
})

test('scenarios of one name are compared in their order, whatever environment they ran in', async () => {
  const twice = (id: string, environment: string, ...states: string[]) => ({
    ...resultOf(id, {}),
    testCaseResults: states.map(
      (state, at) =>
        ({ ...{ id: `${id}-${at}`, contextId: 'price', state, message: environment } }) as Result,
    ),
  })
  const before = twice('a', 'stage', 'COMPLETED', 'FAILED')
  expect(await compared(before, twice('b', 'test', 'COMPLETED', 'FAILED'))).toMatchObject({
    code: 0,
  })
  expect(await compared(before, twice('b', 'test', 'FAILED', 'FAILED'))).toEqual({
    code: 1,
    lines: ['price: COMPLETED → FAILED test'],
  })
})

test('coverage that one result lacks is named in words', async () => {
  const covered = (id: string, coverage: Record<string, number>) => ({
    ...resultOf(id, {}),
    codeCoverage: Object.entries(coverage).map(([componentName, coveragePercentage]) => ({
      ...{ componentName, coveragePercentage },
    })),
  })
  const { lines } = await compared(
    covered('a', { Tax: 20, Loan: 5 }),
    covered('b', { Loan: 0, Rate: 100 }),
  )
  expect(lines).toEqual([
    'coverage of Tax: 20 % → not measured',
    'coverage of Loan: 5 % → 0 %',
    'coverage of Rate: not measured → 100 %',
    'The verdicts are the same',
  ])
})

test('each environment has an XA report of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-xa-'))
  try {
    const several = resultOf('a', { stage: 'FAILED', test: 'COMPLETED' })
    await writeReports(several, new Map(), { xa: folder }, clientOf(several))
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    expect(read('all.xml')).toBe('/result/a/details')
    expect(read('price.stage.xml')).toBe('/result/a-stage/details')
    expect(read('price.test.xml')).toBe('/result/a-test/details')
    const one = resultOf('b', { stage: 'FAILED' })
    await writeReports(one, new Map(), { xa: folder }, clientOf(one))
    expect(read('price.xml')).toBe('/result/b-stage/details')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
