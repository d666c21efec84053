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

/** The least that each kind needs, besides a name. */
const KINDS: [type: string, attributes: Record<string, unknown>][] = [
  ['Environment', {}],
  ['Component', { sourceCode: 'export {}' }],
  ['TestCase', { componentUnderTest: 'base', scenario: SCENARIO }],
  ['Suite', { testCases: ['base'] }],
  ['Channel', { kind: 'email', to: ['ops@example.com'] }],
  ['Rule', { query: 'severity:CRITICAL', channels: ['base'] }],
  ['Receiver', { title: ['@.title'], properties: { a: '@.b' } }],
  ['Silence', { query: '*', until: '2100-01-01T00:00:00Z', reason: 'moved' }],
]
const fieldOf = (type: string) => type.charAt(0).toLowerCase() + type.slice(1)
const COMMON = 'id name description revision created updated'

const update = async (type: string, input: object): Promise<Data> =>
  (
    await repository.run(
      `mutation ($input: Update${type}Input!) { updated: update${type}(input: $input) { ${COMMON} } }`,
      { input },
    )
  ).updated
const remove = (type: string, id: string, revision?: number[]) =>
  repository.run(
    `mutation ($id: ID!, $revision: [Int!]) { delete${type}(id: $id, revision: $revision) }`,
    { id, revision },
  )
const read = async (type: string, id: string): Promise<Data> =>
  (
    await repository.run(`query ($id: ID!) { one: ${fieldOf(type)}(id: $id) { ${COMMON} } }`, {
      id,
    })
  ).one

beforeAll(async () => {
  await repository.create('Component', { id: 'base', name: 'Base', sourceCode: '' })
  await repository.create('TestCase', {
    id: 'base',
    name: 'Base',
    componentUnderTest: 'base',
    scenario: SCENARIO,
  })
  await repository.create('Channel', { id: 'base', name: 'Base', kind: 'email', to: ['a@b.test'] })
})

describe.each(KINDS)('%s', (type, attributes) => {
  test('is created, read, replaced as a whole and deleted', async () => {
    const { id } = await repository.create(type, {
      ...attributes,
      name: `${type} one`,
      description: 'first',
    })
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    const first = await read(type, id)
    expect(first).toMatchObject({ name: `${type} one`, description: 'first', revision: 1 })
    expect(first.updated).toBe(first.created)
    const second = await update(type, { ...attributes, id, name: `${type} two` })
    expect(second).toMatchObject({
      id,
      name: `${type} two`,
      description: null,
      revision: 2,
      created: first.created,
    })
    expect(await read(type, id)).toEqual(second)
    await remove(type, id)
    expect(await read(type, id)).toBeNull()
  })

  test('is refused under a name or an id that is taken', async () => {
    const id = `${type}-taken`
    await repository.create(type, { ...attributes, id, name: `${type} taken` })
    await expect(
      repository.create(type, { ...attributes, name: `${type} taken` }),
    ).rejects.toMatchObject(refusal('CONFLICT', /^The name ".* taken" is already taken by another/))
    await expect(
      repository.create(type, { ...attributes, id, name: `${type} other` }),
    ).rejects.toMatchObject(refusal('CONFLICT', `The id ${id} is already taken`))
    const other = await repository.create(type, { ...attributes, name: `${type} free` })
    await expect(
      update(type, { ...attributes, id: other.id, name: `${type} taken` }),
    ).rejects.toMatchObject(refusal('CONFLICT', /already taken/))
    expect(await read(type, other.id)).toMatchObject({ name: `${type} free`, revision: 1 })
  })

  test('is changed and deleted only at an expected revision', async () => {
    const { id } = await repository.create(type, { ...attributes, name: `${type} guarded` })
    const input = { ...attributes, id, name: `${type} guarded` }
    const outdated = refusal('PRECONDITION_FAILED', /has revision \d, not the one expected$/)
    await expect(update(type, { ...input, revision: 2 })).rejects.toMatchObject(outdated)
    await expect(update(type, { ...input, revision: [] })).rejects.toMatchObject(outdated)
    expect(await update(type, { ...input, revision: [7, 1] })).toMatchObject({ revision: 1 })
    const changed = { ...input, description: 'changed', revision: [7, 1] }
    expect(await update(type, changed)).toMatchObject({ revision: 2 })
    await expect(remove(type, id, [1])).rejects.toMatchObject(outdated)
    expect(await read(type, id)).toMatchObject({ revision: 2 })
    await remove(type, id, [2])
  })

  test.each(['nobody', 'a\0', '\ud800', 'count', 'x'.repeat(1_000)])(
    'of which there is none is NOT_FOUND: %j',
    async (id) => {
      const missing = refusal('NOT_FOUND', `No ${type.toLowerCase()} has the id ${id}`)
      expect(await read(type, id)).toBeNull()
      await expect(update(type, { ...attributes, id, name: 'nobody' })).rejects.toMatchObject(
        missing,
      )
      await expect(remove(type, id)).rejects.toMatchObject(missing)
    },
  )

  test.each(['', 'a b', 'a/b', 'é', 'count', 'result', '.', '..', 'x'.repeat(256)])(
    'is refused under the id %j',
    async (id) => {
      await expect(
        repository.create(type, { ...attributes, id, name: 'unusable id' }),
      ).rejects.toMatchObject(refusal('BAD_USER_INPUT', /^id: expected/))
    },
  )

  test.each([' ', 'x'.repeat(256), 'a\0', '\udc00'])(
    'is refused under the name %j',
    async (name) => {
      await expect(repository.create(type, { ...attributes, name })).rejects.toMatchObject(
        refusal('BAD_USER_INPUT', /^name: expected/),
      )
    },
  )
})

test('scenarios and suites share one id space', async () => {
  await expect(
    repository.create('Suite', { id: 'base', name: 'Another base' }),
  ).rejects.toMatchObject(refusal('CONFLICT', 'The id base is already taken'))
})

test('of changes that come at once with the same revision one succeeds', async () => {
  const { id } = await repository.create('Suite', { name: 'Raced for' })
  const changes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, at) =>
      update('Suite', { id, name: 'Raced for', description: `change ${at}`, revision: 1 }),
    ),
  )
  expect(changes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await read('Suite', id)).toMatchObject({ revision: 2 })
})

test('of changes that come at once without a revision none is lost', async () => {
  const { id } = await repository.create('Suite', { name: 'Counted' })
  await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      update('Suite', { id, name: 'Counted', description: `change ${at}` }),
    ),
  )
  expect(await read('Suite', id)).toMatchObject({ revision: 9 })
})
