import { junitReport } from '../../../runner/reports/junit-report.ts'
import type { ReportedResult } from '../../../runner/reports/reported-result.ts'
import { type NamedCase, uniqueCases } from '../../../runner/reports/unique-cases.ts'

const pairs = (...cases: NamedCase[]) =>
  uniqueCases(cases).map(({ classname, name }) => `${classname} / ${name}`)
const named = (name: string, more: Partial<NamedCase> = {}) => ({ classname: 'A', name, ...more })

test('pairs that are unique stay as they are, whatever their place', () => {
  const cases = [named('a', { place: 'unit' }), named('b', { place: 'unit', environment: 'test' })]
  expect(pairs(...cases)).toEqual(['A / a', 'A / b'])
})

test('a class that ran in several environments has theirs in each of its cases', () => {
  const cases = ['test', 'live'].flatMap((environment) => [
    named('a', { environment }),
    named(environment, { environment }),
  ])
  expect(pairs(...cases, { ...named('a'), classname: 'B' })).toEqual([
    'A [test] / a',
    'A [test] / test',
    'A [live] / a',
    'A [live] / live',
    'B / a',
  ])
})

test('names that are alike have their places, and those still alike their numbers', () => {
  const cases = [named('a', { place: 'one/unit' }), named('a', { place: 'two/unit' }), named('a')]
  expect(pairs(...cases, named('a'), named('a (2)'), named('a'))).toEqual([
    'A / a (one/unit)',
    'A / a (two/unit)',
    'A / a',
    'A / a (2)',
    'A / a (2) (2)',
    'A / a (3)',
  ])
})

test('names that differ only in signs that XML has not are alike', () => {
  expect(pairs(named('a\u0001'), named('a\u0002', { place: 'row[1]' }))).toEqual([
    'A / a\u0001',
    'A / a\u0002 (row[1])',
  ])
})

test('10 000 cases of one name take no time', () => {
  const all = uniqueCases(Array.from({ length: 10_000 }, () => named('a')))
  expect(new Set(all.map(({ name }) => name)).size).toBe(10_000)
})

describe('a JUnit report', () => {
  const started = new Date('2026-01-02T03:04:05.006Z')
  const step = (path: string, name: string, kind: string) => ({
    ...{ id: path.split('/').at(-1) ?? path, path, name, kind, state: 'COMPLETED' as const },
    ...{ started, ended: started, durationMs: 0, message: '' },
  })
  const result = (extra: Partial<ReportedResult>): ReportedResult => ({
    ...{ id: 'r1', type: 'TEST', contextId: 'loan', contextName: 'Loan', state: 'COMPLETED' },
    ...{ started, ended: started, message: '', executedBy: 'ann', steps: [] },
    ...{ validationFailures: [], codeCoverage: [] },
    ...extra,
  })
  const pairsIn = async (extra: Partial<ReportedResult>) =>
    [
      ...(await junitReport(result(extra))).matchAll(
        /<testcase name="([^"]*)" classname="([^"]*)"/g,
      ),
    ].map(([, name, classname]) => `${classname} / ${name}`)

  test('tells rows of one name apart by their places', async () => {
    const steps = [
      step('row[0]', 'same', 'row'),
      step('row[1]', 'own', 'row'),
      step('row[2]', 'same', 'row'),
    ]
    expect(await pairsIn({ steps })).toEqual([
      'Loan / same (row[0])',
      'Loan / own',
      'Loan / same (row[2])',
    ])
  })

  test('tells one test in two steps apart, also where a scenario is included twice', async () => {
    const steps = ['unit', 'unit2', 'one/unit', 'two/unit', 'row[1]/unit'].map((path) =>
      step(`${path}/test[0]`, 'a b', 'test'),
    )
    expect(await pairsIn({ steps })).toEqual([
      'Loan / Loan',
      'Loan / a b (unit)',
      'Loan / a b (unit2)',
      'Loan / a b (one/unit)',
      'Loan / a b (two/unit)',
      'Loan / a b (row[1]/unit)',
    ])
  })

  test('tells a scenario in two environments apart', async () => {
    const testCaseResults = ['test', 'live'].map((environmentId) => result({ environmentId }))
    expect(await pairsIn({ type: 'SUITE', testCaseResults })).toEqual([
      'Loan [test] / Loan',
      'Loan [live] / Loan',
    ])
  })
})
