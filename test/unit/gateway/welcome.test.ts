import { welcome } from '../../../gateway/welcome.ts'

test.each(['users', 'proxy', 'oidc'] as const)(
  'the commands on the terminal are not said to work as they stand with AUTH_MODE=%s',
  (mode) => {
    expect(welcome('http://127.0.0.1:4000', '/api', mode)).toContain(
      `These commands need a sign-in as well (AUTH_MODE=${mode})`,
    )
  },
)

test('where nobody signs in they do', () => {
  expect(welcome('http://127.0.0.1:4000', '/api', 'none')).not.toContain('sign-in')
})
