import { call } from '../../conformance/calls.ts'
import { data } from '../../support/e2e/graph.ts'

describe('YAML', () => {
  const headers = { 'content-type': 'application/yaml' }

  test('an artifact is created from it', async () => {
    const body = 'id: from-yaml\nname: From YAML\ntestCases: [loan-schedule]\n'
    const answer = await call('POST', '/suite', { headers, body })
    expect(answer).toMatchObject({ status: 201, body: { testCases: ['loan-schedule'] } })
  })

  test('what is none is refused with its line', async () => {
    const answer = await call('POST', '/suite', { headers, body: 'name: [' })
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^The request body is no YAML: .*line 1/) },
    })
  })

  test('a scenario is taken as its text', async () => {
    const scenario = 'steps:\n  - id: pause\n    wait: { ms: 1 }\n'
    const { createTestCase } = await data<{ createTestCase: object }>(
      'mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { scenario } }',
      { input: { name: 'From YAML', componentUnderTest: 'tax-table', scenario } },
    )
    expect(createTestCase).toEqual({ scenario: { steps: [{ id: 'pause', wait: { ms: 1 } }] } })
  })
})
