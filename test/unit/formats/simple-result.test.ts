import {
  type SimpleResultData,
  simpleResult,
  simpleResultText,
} from '../../../formats/simple-result.ts'

const RESULT: SimpleResultData = {
  id: 'r',
  type: 'TEST',
  contextId: 'c',
  state: 'FAILED',
  started: '2026-01-31T08:15:00.250Z',
  ended: '2026-01-31T08:15:01.000Z',
  message: 'm',
  executedBy: 'me',
  validationFailures: [],
  useCodeCoverage: true,
  codeCoverage: [],
}

test('times carry a numeric offset, and an end that has not come is null', () => {
  expect(simpleResult(RESULT)).toMatchObject({
    started: '2026-01-31T08:15:00.250+0000',
    ended: '2026-01-31T08:15:01.000+0000',
    testCaseResults: [],
  })
  expect(simpleResult({ ...RESULT, ended: null }).ended).toBeNull()
})

test('the text is the same in whatever order the data come, and whatever else they carry', () => {
  const stored = {
    codeCoverage: [{ hitLines: [1], coveragePercentage: 78, componentName: 'x', level: 'LINE' }],
    validationFailures: [{ path: '$', name: 'n', actualValue: { b: 1 }, secret: 1 }],
  }
  const text = JSON.stringify(simpleResult({ ...stored, ...RESULT, ...stored }))
  expect(text).toContain('"codeCoverage":[{"componentName":"x","coveragePercentage":78}]')
  expect(text).toContain(
    '"validationFailures":[{"name":"n","message":null,"stepId":null,"path":"$","assert":null,' +
      '"expectedValue":null,"actualValue":{"b":1},"datasetRow":null}]',
  )
})

test('the results of members are whole results', () => {
  const suite = simpleResult({ ...RESULT, type: 'SUITE', testCaseResults: [RESULT] })
  expect(suite.testCaseResults).toEqual([simpleResult(RESULT)])
})

test('a value may look like the members of a suite', () => {
  const failure = { name: 'n', actualValue: { testCaseResults: [] } }
  const member = { ...RESULT, message: '"testCaseResults":[]', validationFailures: [failure] }
  const suite = { ...member, type: 'SUITE', testCaseResults: [member, member] }
  expect([...simpleResultText(suite)].join('')).toBe(JSON.stringify(simpleResult(suite)))
})
