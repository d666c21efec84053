import {
  type RunningArtifacts,
  refusal,
  runArtifacts,
} from '../../support/artifacts/running-artifacts.ts'

let repository: RunningArtifacts
beforeAll(async () => {
  repository = await runArtifacts()
})
afterAll(() => repository.stop())

test.each<[string, Record<string, unknown>, string | RegExp]>([
  ['Suite', { maxParallel: 0 }, 'maxParallel: it must be >= 1'],
  ['TestCase', { componentUnderTest: 'base', scenario: { steps: [] } }, /^scenario\/steps must/],
  [
    'Environment',
    { baseUrl: 'ftp://host' },
    /^baseUrl: expected an address that begins with http:/,
  ],
  ['Environment', { baseUrl: 'https://user:password@host' }, /^baseUrl: expected .*, without user/],
  [
    'Environment',
    { allowedHosts: ['ok', 'http://no'] },
    /^allowedHosts\.1: expected a host such as/,
  ],
  ['Environment', { runners: ['CALL', 'CALL'] }, /^runners: it must NOT have duplicate items/],
  ['Environment', { variables: { a: [1] } }, /^variables\.a: it must be string,number,boolean/],
  [
    'Environment',
    { variables: { 'a b': 1 } },
    /^variables\.a b: expected a name of at most 100 letters/,
  ],
  ['Environment', { variables: { a: '\0' } }, /^variables\.a: expected text without NUL/],
  ['Environment', { secrets: [{ name: 'a' }] }, /^secrets\.0\.value: it is missing/],
  ['Component', { sourceCode: 'a\ud800' }, /^sourceCode: expected text without NUL/],
])('a %s with %j is refused: %s', async (type, attributes, message) => {
  await expect(repository.create(type, { name: 'faulty', ...attributes })).rejects.toMatchObject(
    refusal('BAD_USER_INPUT', message),
  )
})
