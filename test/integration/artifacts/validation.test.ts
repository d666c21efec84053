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
  ['Channel', { kind: 'webhook' }, 'url: it is missing'],
  ['Channel', { kind: 'slack', url: 'ftp://x.test' }, /^url: expected a URL that begins with/],
  ['Channel', { kind: 'webhook', url: 'http://169.254.1.1/' }, /^url: this address is not allowed/],
  [
    'Channel',
    { kind: 'webhook', url: 'https://x.test/***' },
    /stands for a stored value, and none/,
  ],
  ['Channel', { kind: 'email' }, 'to: expected an address of e-mail'],
  ['Channel', { kind: 'email', to: ['Ops, Team <b@x.test>'] }, /^to\.0: expected one address/],
  [
    'Channel',
    { kind: 'email', to: ['jürg@x.test'] },
    /^to\.0: expected one address of e-mail in ASCII/,
  ],
  [
    'Channel',
    { kind: 'webhook', url: 'https://x.test/', to: ['a@b.test'] },
    /^to: a channel of kind/,
  ],
  ['Rule', { query: 'severity:(', channels: ['c'] }, /^query: it is wrong at character/],
  ['Rule', { query: 'sevrity:ERROR', channels: ['c'] }, /^query: .*there is no field sevrity/],
  ['Rule', { query: ' ', channels: ['c'] }, /^query: it is empty/],
  ['Rule', { query: '*', channels: ['none'] }, 'channels: no channel has the id none'],
  [
    'Rule',
    { query: '*', channels: ['c'], groupWait: '30' },
    /^groupWait: expected a duration such as/,
  ],
  ['Rule', { query: '*', channels: ['c'], groupBy: ['status'] }, /^groupBy\.0: expected title/],
  [
    'Rule',
    { query: '*', channels: ['c'], repeatInterval: '1m' },
    /^repeatInterval: expected at least groupInterval \(5m\)/,
  ],
  ['Silence', { query: '*', reason: '' }, /^until: expected a time such as/],
  ['Silence', { query: '*', reason: '', until: 'soon' }, /^until: expected a time such as/],
  [
    'Silence',
    {
      query: '*',
      reason: '',
      weekly: { days: ['MON'], from: '22:00', to: '06:00', timeZone: 'Mars' },
    },
    /^weekly\.timeZone: expected a name such as/,
  ],
  ['Receiver', { title: ['@.a['] }, /^title: /],
  ['Receiver', { title: ['t'], items: '$..a' }, /^items: \.\. is not supported here/],
  [
    'Receiver',
    { title: ['t'], statusWords: { a: 'DONE' } },
    /^statusWords\.a: expected one of OPEN/,
  ],
  ['Receiver', { title: ['t'], secret: '12345678' }, /^proof: it is missing; say in which header/],
  ['Receiver', { title: ['t'], proof: { header: 'X-A' } }, /^secret: it is missing/],
  [
    'Receiver',
    { title: ['t'], secret: '1', proof: { query: 'a' } },
    /^secret: expected at least 8/,
  ],
  [
    'Receiver',
    { title: ['t'], secret: '12345678', proof: { query: 'a', header: 'b' } },
    'proof: expected either header or query',
  ],
  [
    'Receiver',
    { title: ['t'], secret: '***', proof: { query: 'a' } },
    /^secret: \*\*\* stands for a stored value, and none/,
  ],
  ['Receiver', { title: ['t'], response: { status: 400 } }, /^response\.status: it must be <= 299/],
  ['Receiver', { title: ['t'], response: { status: 204, body: 1 } }, /^response\.body: a response/],
  ['Receiver', { title: ['t'], name: 'GitHub' }, /^name: GitHub is reserved; choose another/],
  ['Receiver', { title: ['t'], id: 'preview' }, /^id: preview is reserved/],
  ['Component', { sourceCode: 'a\ud800' }, /^sourceCode: expected text without NUL/],
])('a %s with %j is refused: %s', async (type, attributes, message) => {
  await expect(repository.create(type, { name: 'faulty', ...attributes })).rejects.toMatchObject(
    refusal('BAD_USER_INPUT', message),
  )
})
