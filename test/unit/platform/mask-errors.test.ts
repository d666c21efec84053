import { GraphQLError } from 'graphql'
import { pino } from 'pino'
import { AppError } from '../../../formats/errors.ts'
import { createLogger } from '../../../platform/process/logger.ts'
import { maskError } from '../../../platform/subgraph/mask-errors.ts'

const log = createLogger('silent')
const locate = (originalError: Error) => new GraphQLError(originalError.message, { originalError })

test('errors of ours and of GraphQL keep their message and code', () => {
  const ours = locate(new AppError('CONFLICT', 'taken'))
  expect(maskError(ours, 'r', log)).toBe(ours)
  expect(ours.extensions).toEqual({ code: 'CONFLICT' })
  const syntax = new GraphQLError('Syntax Error')
  expect(maskError(syntax, 'r', log)).toBe(syntax)
})

test('anything else says nothing of itself', () => {
  const masked = maskError(locate(new TypeError('password of db1 is x')), 'r', log)
  expect(masked.message).toBe('Internal server error')
  expect(masked.extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR' })
  expect(JSON.stringify(masked)).not.toContain('db1')
})

test('a database that is away is an overload, not a fault', () => {
  const lost = locate(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))
  expect(maskError(lost, 'r', log).extensions).toEqual({ code: 'OVERLOADED', retryAfterSeconds: 2 })
})

test('the log has why events could not be stored, and nothing of hosts that clients named', () => {
  const lines: object[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  const full = Object.assign(new Error('No space left on device'), { code: '53100' })
  const overloaded = locate(new AppError('OVERLOADED', 'not now', { cause: full }))
  expect(maskError(overloaded, 'r', log)).toBe(overloaded)
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  maskError(locate(new AppError('BAD_USER_INPUT', 'no such host', { cause: away })), 'r', log)
  expect(lines).toMatchObject([{ level: 40, reason: 'No space left on device', requestId: 'r' }])
})
