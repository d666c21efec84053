import { REVISIONS_KEPT } from '../../../subgraphs/test-execution/artifacts/revisions/artifact-revision.repository.ts'
import {
  type Data,
  type RunningArtifacts,
  runArtifacts,
} from '../../support/artifacts/running-artifacts.ts'

let repository: RunningArtifacts
beforeAll(async () => {
  repository = await runArtifacts()
})
afterAll(() => repository.stop())

const READ = `query ($id: ID!, $first: Int! = 20) { component(id: $id) {
  revision revisions(first: $first) { revision name description updated attributes } } }`
const read = async (id: string, first?: number): Promise<Data> =>
  (await repository.run(READ, { id, ...(first !== undefined && { first }) })).component
const change = (input: Data) =>
  repository.run(
    'mutation ($input: UpdateComponentInput!) { updateComponent(input: $input) { revision } }',
    { input },
  )

test('each change keeps what was there before, the latest first', async () => {
  const id = 'kept'
  await repository.create('Component', { id, name: 'First', sourceCode: 'one' })
  expect((await read(id)).revisions).toEqual([])
  await change({ id, name: 'Second', description: 'renamed', sourceCode: 'one' })
  await change({ id, name: 'Second', description: 'renamed', sourceCode: 'two' })
  await change({ id, name: 'Second', description: 'renamed', sourceCode: 'two' }) // changes nothing
  const { revision, revisions } = await read(id)
  expect(revision).toBe(3)
  expect(revisions).toMatchObject([
    { revision: 2, name: 'Second', description: 'renamed', attributes: { sourceCode: 'one' } },
    { revision: 1, name: 'First', description: null, attributes: { sourceCode: 'one' } },
  ])
})

test('a set that is applied keeps them, too, and a dry run keeps none', async () => {
  const apply = (sourceCode: string, dryRun: boolean) =>
    repository.run(
      'mutation ($input: ApplyArtifactsInput!) { applyArtifacts(input: $input) { changes { action } } }',
      {
        input: {
          set: 'revisions',
          dryRun,
          artifacts: [{ kind: 'component', id: 'applied', name: 'Applied', sourceCode }],
        },
      },
    )
  await apply('one', false)
  await apply('two', true)
  await apply('three', false)
  expect((await read('applied')).revisions).toMatchObject([{ attributes: { sourceCode: 'one' } }])
})

test('no more than a number of them is kept, and none of an artifact that was deleted', async () => {
  const id = 'many'
  await repository.create('Component', { id, name: 'Many', sourceCode: '0' })
  for (let i = 1; i <= REVISIONS_KEPT + 2; i++)
    await change({ id, name: 'Many', sourceCode: `${i}` })
  const { revisions } = await read(id, 1_000)
  expect(revisions).toHaveLength(REVISIONS_KEPT)
  expect(revisions.at(-1)).toMatchObject({ revision: 3 })
  await repository.run('mutation ($id: ID!) { deleteComponent(id: $id) }', { id })
  await repository.create('Component', { id, name: 'Many', sourceCode: 'anew' })
  expect((await read(id)).revisions).toEqual([])
})
