import { codingFor, returnsSecret } from '../../../gateway/http/compression.ts'
import { textResponse } from '../../../gateway/http/http-message.ts'
import { routes } from '../../../rest-bridge/index.ts'

const ACCEPTED = { 'accept-encoding': 'br' }
const responseOf = (bytes: number, mediaType = 'text/plain') =>
  textResponse({ status: 200, body: 'x'.repeat(bytes), mediaType })

test('responses are compressed from 1 KiB on', () => {
  expect(codingFor(ACCEPTED, responseOf(1_024))).toBe('br')
  expect(codingFor(ACCEPTED, responseOf(1_023))).toBeUndefined()
  expect(codingFor(ACCEPTED, textResponse({ status: 204, body: undefined }))).toBeUndefined()
})

test.each([
  ['*', 'gzip'],
  ['*, zstd;q=0', 'gzip'],
  ['zstd, *;q=0.1', 'zstd'],
  ['*, x-br-like', 'gzip'],
])('%s asks for %s', (accepted, coding) => {
  expect(codingFor({ 'accept-encoding': accepted }, responseOf(2_000))).toBe(coding)
})

test('what is compressed already, or holds a secret, is sent as it is', () => {
  expect(codingFor(ACCEPTED, responseOf(2_000, 'image/png'))).toBeUndefined()
  expect(codingFor(ACCEPTED, { ...responseOf(2_000), isPlain: true })).toBeUndefined()
  const coded = responseOf(2_000)
  const headers = { ...coded.headers, 'Content-Encoding': 'gzip' }
  expect(codingFor(ACCEPTED, { ...coded, headers })).toBeUndefined()
})

test('the operations that return a secret are those that make a token, and those that hide one', () => {
  const secret = routes.filter(({ operation }) => returnsSecret(operation))
  expect(new Set(secret.map(({ method, path }) => `${method} ${path}`))).toEqual(
    new Set([
      'post /authenticate',
      'post /account/me/token',
      'post /account/:accountId/token',
      // They return *** in its place, and are small.
      'post /receiver',
      'put /receiver/:id',
      'post /trigger',
      'put /trigger/:id',
    ]),
  )
})
