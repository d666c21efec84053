import { GraphQLError } from 'graphql'
import { type ErrorCode, statusOf } from '../../../formats/errors.ts'
import { failureOf } from '../../../formats/failure.ts'

/** Errors of Express, its parsers and `send`. */
const httpError = (status: number) => Object.assign(new Error('inside'), { status })

test.each<[number, ErrorCode]>([
  [400, 'BAD_USER_INPUT'],
  [403, 'BAD_USER_INPUT'],
  [404, 'NOT_FOUND'],
  [412, 'PRECONDITION_FAILED'],
  [416, 'BAD_USER_INPUT'],
  [500, 'INTERNAL_SERVER_ERROR'],
  [503, 'INTERNAL_SERVER_ERROR'],
])('a failure of Express with the status %i is %s', (status, code) => {
  const failure = failureOf(httpError(status))
  expect(failure.code).toBe(code)
  expect(failure.message).not.toContain('inside')
  expect(statusOf(code) >= 500).toBe(status >= 500)
})

test.each<[ErrorCode, string]>([
  ['DOWNSTREAM_SERVICE_ERROR', 'the answer was lost'],
  ['INTERNAL_SERVER_ERROR', 'Internal server error'],
])('a failure in the graph with the code %s tells: %s', (code, told) => {
  const error = new GraphQLError('the answer was lost', { extensions: { code } })
  expect(failureOf(error)).toMatchObject({ code, message: told })
})
