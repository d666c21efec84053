import { compileComponent } from '../../../runner/coverage/compile-component.ts'
import { lineCoverage, mergeCoverage, percentage } from '../../../runner/coverage/line-coverage.ts'
import { inThisThread } from '../../support/evaluation.ts'

test.each([
  [7, 2, 78],
  [0, 0, 100],
  [0, 3, 0],
  [1, 2, 33],
  [199, 1, 100],
])('%i lines hit and %i untouched are %i percent', (hit, untouched, expected) => {
  expect(percentage(hit, untouched)).toBe(expected)
})

const component = { name: 'Tax', sourceCode: 'a\nb\nc' }

test('a line is hit when any of its statements ran', () => {
  const coverage = lineCoverage(component, [1, 2, 2, 3], new Set([0, 2]))
  expect(coverage).toMatchObject({ hitLines: [1, 2], untouchedLines: [3], coveragePercentage: 67 })
  expect(coverage).toMatchObject({
    componentName: 'Tax',
    level: 'LINE',
    tags: [],
    executionCount: 1,
  })
})

test('executions of the same source merge, those of another stay apart', () => {
  const a = lineCoverage(component, [1, 2, 3], new Set([0]))
  const b = lineCoverage(component, [1, 2, 3], new Set([2]))
  const other = lineCoverage({ ...component, sourceCode: 'x' }, [1], new Set())
  expect(mergeCoverage([a, b, other])).toMatchObject([
    { hitLines: [1, 3], untouchedLines: [2], coveragePercentage: 67, executionCount: 2 },
    { hitLines: [], untouchedLines: [1], coveragePercentage: 0, executionCount: 1 },
  ])
})

const TAX = [
  'enum Band { Low, High }', // 1
  '', // 2
  'interface Rate { share: number }', // 3
  'const rates: Record<Band, Rate> = {', // 4
  '  [Band.Low]: { share: 0.1 },', // 5
  '  [Band.High]: { share: 0.3 },', // 6
  '}', // 7
  '/** Doc. */', // 8
  'export function tax(sum: number): number {', // 9
  '  const band = sum > 100', // 10
  '    ? Band.High', // 11
  '    : Band.Low', // 12
  '  return sum * rates[band].share', // 13
  '}', // 14
].join('\n')

test('executable lines are those of the source as the user wrote it, also with enums', async () => {
  const compiled = await compileComponent(
    { name: 'Tax', language: 'TYPESCRIPT', sourceCode: TAX },
    true,
    inThisThread,
  )
  expect([...new Set(compiled.statementLines)].sort((a, b) => a - b)).toEqual([4, 10, 13])
  const at = compiled.code.split('\n').findIndex((line) => line.includes('.share'))
  const column = compiled.code.split('\n')[at]?.indexOf('return') ?? 0
  expect(compiled.lineOf(at + 1, column + 1)).toBe(13)
})

test.each(['JAVASCRIPT', 'TYPESCRIPT'] as const)(
  'without coverage %s keeps its lines',
  async (language) => {
    const sourceCode = 'export const a = 1\n\nexport const b = 2'
    const compiled = await compileComponent(
      { name: 'A', language, sourceCode },
      false,
      inThisThread,
    )
    expect(compiled.code).toBe(sourceCode)
    expect(compiled.statementLines).toEqual([])
    expect(compiled.lineOf(3, 1)).toBe(3)
  },
)

test.each([
  ['JAVASCRIPT', 'export function f({', 'line 1'],
  ['JAVASCRIPT', 'const a = 1\nexport const b: number = 2', 'line 2'],
  ['TYPESCRIPT', '\n\nexport const b: = 2', 'line 3'],
  ['JAVASCRIPT', `${'('.repeat(50_000)}`, 'cannot be compiled'],
] as const)(
  'a %s source that is wrong is refused with its line',
  async (language, sourceCode, where) => {
    const compiling = compileComponent({ name: 'Tax', language, sourceCode }, true, inThisThread)
    await expect(compiling).rejects.toMatchObject({
      code: 'SYNTAX_ERROR',
      message: expect.stringContaining(where),
    })
    await expect(compiling).rejects.not.toMatchObject({
      message: expect.stringMatching(/\n|\/component|work/),
    })
  },
)

test('a source map that a source brings along changes no line', async () => {
  const sourceCode = 'export const a = 1\n//# sourceMappingURL=data:application/json;base64,e30='
  const compiled = await compileComponent(
    { name: 'A', language: 'JAVASCRIPT', sourceCode },
    true,
    inThisThread,
  )
  expect(compiled.statementLines).toEqual([1])
})
