import { reasonOf } from '../../../gateway/sign-in/failure-reason.ts'

test.each([
  [
    'a lost connection',
    new Error('connect ECONNREFUSED 127.0.0.1:9'),
    'connect ECONNREFUSED 127.0.0.1:9',
  ],
  [
    'several lost connections',
    Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }),
    'ECONNREFUSED',
  ],
  ['a response', new Response('a body', { status: 404 }), 'HTTP status 404'],
])('the reason of a failed request names %s', (_, cause, named) => {
  expect(reasonOf(new TypeError('fetch failed', { cause }))).toBe(`fetch failed: ${named}`)
})

test('the reason of a failed request has nothing of a body', () => {
  const cause = { body: { access_token: 'a token' } }
  expect(reasonOf(new Error('unexpected claim', { cause }))).toBe('unexpected claim')
})
