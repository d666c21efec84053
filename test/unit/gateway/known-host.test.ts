import { requireKnownHost } from '../../../gateway/sign-in/known-host.ts'

const check = (host: string | undefined) => () =>
  requireKnownHost({ headers: { ...(host !== undefined && { host }) } }, ['assay.example'])

test.each([
  undefined,
  'localhost',
  'LOCALHOST:4000',
  'localhost.:4000',
  'ci.localhost:4000',
  '127.0.0.1:4000',
  '127.0.1.1',
  '[::1]:4000',
  'assay.example:80',
  'Assay.Example',
])('%s is a name of this machine', (host) => {
  expect(check(host)).not.toThrow()
})

test.each([
  '',
  'evil.example',
  'evil.example:4000',
  'localhost.evil.example',
  'evillocalhost',
  '127.0.0.1.evil.example',
  'localhost@evil.example',
  '10.0.0.1:4000',
  '[::2]',
  'sub.assay.example',
])('%s is none', (host) => {
  expect(check(host)).toThrow(/ALLOWED_HOSTS/)
})
