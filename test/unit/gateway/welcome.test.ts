import { welcome } from '../../../gateway/welcome.ts'

test.each(['users', 'proxy', 'oidc'] as const)(
  'the commands on the terminal are not said to work as they stand with AUTH_MODE=%s',
  (mode) => {
    expect(welcome('http://127.0.0.1:4000', { apiRootPath: '/api', ui: true, mode })).toContain(
      `These commands need a sign-in as well (AUTH_MODE=${mode})`,
    )
  },
)

test('where nobody signs in they do', () => {
  expect(
    welcome('http://127.0.0.1:4000', { apiRootPath: '/api', ui: true, mode: 'none' }),
  ).not.toContain('sign-in')
})

test('the address of the web client stands first, unless UI=false', () => {
  const banner = (ui: boolean) =>
    welcome('http://127.0.0.1:4000', { apiRootPath: '', ui, mode: 'none' })
  expect(banner(true)).toContain('Open http://127.0.0.1:4000/ in a browser.')
  expect(banner(false)).not.toContain('browser.')
})
