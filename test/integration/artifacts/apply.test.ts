import { type Caller, openCaller } from '../../../platform/access/caller.ts'
import { ROLES } from '../../../platform/access/permissions.ts'
import {
  type Data,
  type RunningArtifacts,
  refusal,
  runArtifacts,
  SCENARIO,
} from '../../support/artifacts/running-artifacts.ts'

let repository: RunningArtifacts
beforeAll(async () => {
  repository = await runArtifacts()
})
afterAll(() => repository.stop())

const APPLY = `mutation ($input: ApplyArtifactsInput!) {
  applyArtifacts(input: $input) { dryRun changes { kind id: artifactId action revision attributes { name before after } } } }`

const apply = async (artifacts: object[], more: object = {}): Promise<Data[]> =>
  (await repository.run(APPLY, { input: { set: 'shop', artifacts, ...more } })).applyArtifacts
    .changes

const summary = (changes: Data[]) =>
  changes.map(({ kind, id, action, revision }) => `${action} ${kind} ${id} ${revision}`)

const FOLDER = [
  { kind: 'suite', id: 'shop', testCases: ['basket', 'price'] },
  { kind: 'testcase', id: 'price', componentUnderTest: 'price', scenario: SCENARIO },
  {
    kind: 'testcase',
    id: 'basket',
    componentUnderTest: 'price',
    environment: 'stage',
    scenario: { steps: [{ id: 'inner', scenario: { id: 'price' } }] },
  },
  { kind: 'component', id: 'price', name: 'Price', sourceCode: 'export const a = 1' },
  {
    kind: 'environment',
    id: 'stage',
    variables: { a: 1, b: 'x' },
    secrets: [{ name: 'KEY', value: 'geheim' }],
  },
]

const count = async () => (await repository.sql('select from test_execution.artifact')).length

test('a set is stored in one transaction, each artifact behind those that it names', async () => {
  expect(summary(await apply(FOLDER, { dryRun: true }))).toContain('CREATED suite shop 1')
  expect(await count()).toBe(0)
  expect(summary(await apply(FOLDER))).toEqual([
    'CREATED environment stage 1',
    'CREATED component price 1',
    'CREATED testcase price 1',
    'CREATED testcase basket 1',
    'CREATED suite shop 1',
  ])
})

test('repeating it changes no revision, and a change shows the attribute that differs', async () => {
  expect(new Set((await apply(FOLDER)).map(({ action }) => action))).toEqual(new Set(['UNCHANGED']))
  const changed = FOLDER.map((each) =>
    each.id === 'price' && each.kind === 'component'
      ? { ...each, sourceCode: 'export const a = 2' }
      : each,
  )
  const changes = await apply(changed, { dryRun: true })
  expect(changes.filter(({ action }) => action !== 'UNCHANGED')).toEqual([
    {
      kind: 'component',
      id: 'price',
      action: 'UPDATED',
      revision: 2,
      attributes: [
        { name: 'sourceCode', before: 'export const a = 1', after: 'export const a = 2' },
      ],
    },
  ])
})

test('a secret that differs is a change that shows no value; one without a value keeps it', async () => {
  const withSecret = (secret: object) => [{ ...FOLDER[4], secrets: [secret] }]
  const [kept] = await apply(withSecret({ name: 'KEY' }))
  expect(kept.action).toBe('UNCHANGED')
  const [other] = await apply(withSecret({ name: 'KEY', value: 'anders' }), { dryRun: true })
  expect(other).toMatchObject({ action: 'UPDATED', attributes: [{ name: 'secrets' }] })
  expect(JSON.stringify(other)).not.toContain('anders')
})

test('prune deletes what this set held before, and nothing else', async () => {
  await repository.create('Component', { id: 'by-hand', name: 'By hand', sourceCode: '' })
  await apply([{ kind: 'component', id: 'foreign', sourceCode: '' }], { set: 'other' })
  const renamed = { kind: 'component', id: 'price-2', name: 'Price', sourceCode: '' }
  const deleted = await apply([FOLDER[4] as object, renamed], { prune: true })
  expect(summary(deleted)).toEqual([
    'UNCHANGED environment stage 1',
    'CREATED component price-2 1',
    'DELETED suite shop null',
    'DELETED testcase basket null',
    'DELETED testcase price null',
    'DELETED component price null',
  ])
  const left = await repository.sql('select id from test_execution.artifact order by id')
  expect(left.map(({ id }) => id)).toEqual(['by-hand', 'foreign', 'price-2', 'stage'])
})

test('what something outside of the set uses is not pruned, and then nothing is', async () => {
  await repository.create('TestCase', {
    id: 'user',
    name: 'User',
    componentUnderTest: 'price-2',
    scenario: SCENARIO,
  })
  const before = await count()
  await expect(apply([], { prune: true })).rejects.toMatchObject(
    refusal('CONFLICT', 'The component price-2 is used by the testcase user'),
  )
  expect(await count()).toBe(before)
  expect(
    (await repository.sql(`select from test_execution.artifact where name = 'Price'`)).length,
  ).toBe(1)
})

test.each<[string, object[], object, string, RegExp]>([
  [
    'another set',
    [{ kind: 'component', id: 'foreign', sourceCode: '' }],
    {},
    'CONFLICT',
    /belongs to the set other/,
  ],
  [
    'an unknown kind',
    [{ kind: 'scenario', id: 'a' }],
    {},
    'BAD_USER_INPUT',
    /scenario a: kind: expected one of/,
  ],
  [
    'every fault',
    [
      { kind: 'component', id: 'a' },
      { kind: 'component', id: 'b' },
    ],
    {},
    'BAD_USER_INPUT',
    /component a: sourceCode: it is missing\ncomponent b: /,
  ],
  [
    'an id that is given twice',
    [
      { kind: 'testcase', id: 'a', componentUnderTest: 'c', scenario: SCENARIO },
      { kind: 'suite', id: 'a' },
    ],
    {},
    'BAD_USER_INPUT',
    /suite a: its id is given twice/,
  ],
  [
    'a missing reference',
    [{ kind: 'suite', id: 'a', testCases: ['nowhere'] }],
    {},
    'BAD_USER_INPUT',
    /suite a: testCases: no testcase has the id nowhere/,
  ],
  [
    'a taken name',
    [{ kind: 'component', id: 'a', name: 'By hand', sourceCode: '' }],
    {},
    'CONFLICT',
    /"By hand" is already taken/,
  ],
  [
    'a circle',
    ['a', 'b'].map((id) => ({
      kind: 'testcase',
      id,
      componentUnderTest: 'by-hand',
      scenario: { steps: [{ id: 's', scenario: { id: id === 'a' ? 'b' : 'a' } }] },
    })),
    {},
    'BAD_USER_INPUT',
    /circle: b → a → b|circle: a → b → a/,
  ],
  [
    'too many',
    Array.from({ length: 1_001 }, (_, at) => ({ kind: 'component', id: `c${at}`, sourceCode: '' })),
    {},
    'BAD_USER_INPUT',
    /1001 are more than 1000/,
  ],
  ['a bad name of a set', [], { set: 'a b' }, 'BAD_USER_INPUT', /^set: /],
])('%s is refused, and nothing is stored', async (_, artifacts, more, code, message) => {
  const before = await count()
  await expect(apply(artifacts, more)).rejects.toMatchObject(refusal(code, message))
  expect(await count()).toBe(before)
})

test('two applies of one set at the same time both succeed', async () => {
  const artifacts = [
    { kind: 'component', id: 'twice', sourceCode: '' },
    { kind: 'testcase', id: 'twice', componentUnderTest: 'twice', scenario: SCENARIO },
  ]
  const both = await Promise.all([
    apply(artifacts, { set: 'twice' }),
    apply(artifacts, { set: 'twice' }),
  ])
  expect(both.flatMap(summary).toSorted()).toEqual([
    'CREATED component twice 1',
    'CREATED testcase twice 1',
    'UNCHANGED component twice 1',
    'UNCHANGED testcase twice 1',
  ])
})

test('a set with a channel needs channels:manage, and without it stores nothing', async () => {
  const editor = { ...openCaller('test'), user: 'ed', permissions: ROLES.editor }
  const channel = { kind: 'channel', id: 'ops', channelKind: 'email', to: 'ops@example.com' }
  const rule = { kind: 'rule', id: 'critical', query: 'severity:CRITICAL', channels: ['ops'] }
  const run = async (artifacts: object[], caller: Caller, more: object = {}) => {
    const { data, errors } = await repository.answer(
      'mutation ($input: ApplyArtifactsInput!) { applyArtifacts(input: $input) { changes { action artifactId } } }',
      { input: { set: 'notifying', artifacts, ...more } },
      caller,
    )
    return errors?.[0]?.message ?? (data as Data).applyArtifacts.changes.length
  }
  const refused = expect.stringContaining('it needs channels:manage')
  expect(await run([channel, rule], editor)).toEqual(refused)
  expect(await run([channel, rule], openCaller('test'))).toBe(2)
  expect(await run([channel, { ...rule, enabled: false }], editor)).toBe(2)
  expect(await run([], editor, { prune: true })).toEqual(refused)
  await expect(repository.run('mutation { deleteChannel(id: "ops") }')).rejects.toMatchObject(
    refusal('CONFLICT', /is used by the rule critical/),
  )
})
