import { GraphQLError } from 'graphql'
import { type ServedBridge, serveBridge } from '../../support/rest-bridge/served-bridge.ts'

let bridge: ServedBridge

beforeAll(async () => {
  const gone = new GraphQLError('Deleted because of their age', { extensions: { code: 'GONE' } })
  const executionResult = { id: 'r-1', type: 'TEST', contextId: 'loan-schedule', log: null }
  bridge = await serveBridge(() => ({ data: { executionResult }, errors: [gone] }))
})

afterAll(() => bridge.stop())

test.each([
  ['/testcase/loan-schedule/result/r-1/details', 410],
  ['/result/r-1/details', 410],
  ['/testcase/tax-table/result/r-1/details', 404],
  ['/suite/loan-schedule/result/r-1/details', 404],
  ['/testcase/tax-table/result/r-1/details?format=junit', 404],
])('details that are deleted are gone only where they were: %s is %i', async (path, status) => {
  const response = await fetch(`${bridge.base}${path}`)
  expect(response.status).toBe(status)
})
