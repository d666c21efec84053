import { ownPath, pendingIn, pendingText } from '../../../gateway/sign-in/pending-login.ts'

test.each([
  ['/events?q=a%20b#top', '/events?q=a%20b#top'],
  ['/', '/'],
  ['', '/'],
  ['events', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/./\\evil.example', '/'],
  ['/..//evil.example', '/'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
])('after a sign-in, %j continues at %j', (given, path) => {
  expect(ownPath(given)).toBe(path)
})

test('what a browser kept reads back, and anything else is nothing', () => {
  const pending = {
    state: 's',
    nonce: 'n',
    verifier: 'v',
    returnTo: '/events',
    former: ['a-secret'],
  }
  expect(pendingIn(pendingText(pending))).toEqual(pending)
  const elsewhere = pendingText({ ...pending, returnTo: '//evil.example' })
  expect(pendingIn(elsewhere)?.returnTo).toBe('/')
  const bad = [{ state: 1 }, { former: 'x' }, { former: [1] }, { former: ['a', 'b', 'c'] }]
  const texts = bad.map((each) => pendingText({ ...pending, ...(each as object) }))
  for (const text of [null, '', 'x', ...texts]) expect(pendingIn(text)).toBeNull()
})
