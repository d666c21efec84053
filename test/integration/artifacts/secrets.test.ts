import {
  type Data,
  type RunningArtifacts,
  refusal,
  runArtifacts,
} from '../../support/artifacts/running-artifacts.ts'

let repository: RunningArtifacts
beforeAll(async () => {
  repository = await runArtifacts()
})
afterAll(() => repository.stop())

const VALUE = 'swordfish-4711'

const sealedOf = async (id: string): Promise<Record<string, string>> =>
  (await repository.sql('select sealed from test_execution.artifact where id = $1', [id]))[0].sealed

const update = async (input: object): Promise<Data> =>
  (
    await repository.run(
      `mutation ($input: UpdateEnvironmentInput!) { env: updateEnvironment(input: $input) { secrets { name } } }`,
      { input },
    )
  ).env.secrets

test('a value is stored sealed, and nothing shows it', async () => {
  const { id } = await repository.create('Environment', {
    name: 'Sealed',
    secrets: [{ name: 'TOKEN', value: VALUE }],
  })
  const rows = await repository.sql('select to_jsonb(a) as row from test_execution.artifact a')
  expect(JSON.stringify(rows)).not.toContain(VALUE)
  expect(Object.keys(await sealedOf(id))).toEqual(['TOKEN'])
  const answer = await repository.answer(
    `{ environments(sort: { attribute: "secrets" }) { edges { cursor node { secrets { name } } } } }`,
  )
  expect(answer.errors).toBeUndefined()
  const shown = JSON.stringify(answer)
  const { edges } = (answer.data as Data).environments
  expect(shown).toContain('TOKEN')
  expect(shown + Buffer.from(edges[0].cursor, 'base64url')).not.toContain(VALUE)
})

test('an update keeps what it does not give, replaces what it gives and removes the rest', async () => {
  const { id } = await repository.create('Environment', {
    name: 'Updated',
    secrets: ['A', 'B', 'C'].map((name) => ({ name, value: VALUE })),
  })
  const before = await sealedOf(id)
  const secrets = [{ name: 'A' }, { name: 'B', value: 'anew' }, { name: 'D', value: 'more' }]
  expect(await update({ id, name: 'Updated', secrets })).toEqual([
    { name: 'A' },
    { name: 'B' },
    { name: 'D' },
  ])
  const after = await sealedOf(id)
  expect(after.A).toBe(before.A)
  expect(after.B).not.toBe(before.B)
  expect(Object.keys(after).sort()).toEqual(['A', 'B', 'D'])
  expect(await update({ id, name: 'Updated' })).toHaveLength(3)
  expect(await sealedOf(id)).toEqual(after)
  expect(await update({ id, name: 'Updated', secrets: [] })).toEqual([])
  expect(await sealedOf(id)).toEqual({})
})

test.each<[string, unknown]>([
  ['secrets.0.value: it is missing, and no value of NEW is stored', [{ name: 'NEW' }]],
  [
    'secrets.1.name: it repeats A',
    [
      { name: 'A', value: VALUE },
      { name: 'A', value: VALUE },
    ],
  ],
  ['secrets: zone is a variable already', [{ name: 'zone', value: VALUE }]],
  ['secrets.0.name: it is missing', [{ value: VALUE }]],
  ['secrets.0.hint: no such attribute', [{ name: 'A', value: VALUE, hint: VALUE }]],
  ['secrets.0: it must be object', [VALUE]],
  [
    'secrets.1.value: expected at least 4 characters, as a shorter one cannot be masked',
    [
      { name: 'A', value: 'four' },
      { name: 'B', value: ' x7 \n' },
    ],
  ],
  ['secrets.0.value: it must be string,null', [{ name: 'A', value: [VALUE] }]],
])('a refusal does not repeat values: %s', async (message, secrets) => {
  const refused = repository.create('Environment', {
    name: 'Refused',
    variables: { zone: 'north' },
    secrets,
  })
  await expect(refused).rejects.toMatchObject(refusal('BAD_USER_INPUT', message))
})

test('what GraphQL itself refuses shows no value either', async () => {
  const { errors } = await repository.answer(
    `mutation ($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }`,
    { input: { secrets: [{ name: 'A', value: VALUE }], colour: 'red' } },
  )
  expect(errors?.length).toBeGreaterThan(0)
  expect(JSON.stringify(errors)).not.toContain(VALUE)
})

test('the address of a channel is stored sealed, and its origin stands for it', async () => {
  const url = 'https://hooks.example.com/services/T1/B2/swordfish'
  const shown = 'https://hooks.example.com/***'
  const replace = async (input: object): Promise<Data> =>
    (
      await repository.run(
        'mutation ($input: UpdateChannelInput!) { channel: updateChannel(input: $input) { url revision } }',
        { input: { id, name: 'Hook', kind: 'slack', ...input } },
      )
    ).channel
  const { id } = await repository.create('Channel', { name: 'Hook', kind: 'slack', url })
  const rows = await repository.sql('select to_jsonb(a) as row from test_execution.artifact a')
  const jobs = await repository.sql('select data from pgboss.job')
  expect(JSON.stringify([rows, jobs])).not.toContain('swordfish')
  const before = await sealedOf(id)
  expect(await replace({ url: shown })).toEqual({ url: shown, revision: 1 })
  expect(await replace({ url })).toEqual({ url: shown, revision: 1 })
  expect(await sealedOf(id)).toEqual(before)
  expect(await replace({ url: `${url}2` })).toEqual({ url: shown, revision: 2 })
  expect(await sealedOf(id)).not.toEqual(before)
  await expect(replace({ url: 'https://other.example.com/***' })).rejects.toMatchObject(
    refusal('BAD_USER_INPUT', /stands for a stored value, and none is shown so/),
  )
})
