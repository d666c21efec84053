import { createClient, type Exchange, gql, makeResult, type Operation } from '@urql/core'
import { filter, map, pipe, subscribe } from 'wonka'
import { boundedCacheExchange } from '../../../web/src/graph/cache.ts'
import { eventually } from '../../support/eventually.ts'

const READ = gql('query ($id: Int!) { thing(id: $id) { id } }')
const RENAME = gql('mutation { rename { id } }')

/** A client, and the ids that a server was asked for; `mutation` for a change. */
function clientOf() {
  const asked: unknown[] = []
  const server: Exchange = () => (operations) =>
    pipe(
      operations,
      filter(({ kind }) => kind !== 'teardown'),
      map((operation: Operation) => {
        const id = operation.kind === 'query' ? operation.variables?.id : operation.kind
        asked.push(id)
        const __typename = id === 'mutation' || id < 1_000 ? 'Thing' : 'Other'
        return makeResult(operation, { data: { thing: { __typename, id } } })
      }),
    )
  const client = createClient({
    url: 'http://unused/',
    requestPolicy: 'cache-and-network',
    exchanges: [boundedCacheExchange, server],
  })
  const read = (id: number, context = {}) => client.query(READ, { id }, context).toPromise()
  const isKept = (id: number) =>
    client.readQuery(READ, { id }, { requestPolicy: 'cache-first' })?.stale === false &&
    asked.at(-1) !== id
  return { client, asked, read, isKept }
}

test('a result is shown from the cache, and read again', async () => {
  const { client, asked, read } = clientOf()
  await read(1)
  const seen: boolean[] = []
  const { unsubscribe } = pipe(
    client.query(READ, { id: 1 }),
    subscribe(({ stale }) => void seen.push(stale)),
  )
  await eventually(async () => expect(seen).toEqual([true, false]))
  expect(asked).toEqual([1, 1])
  unsubscribe()
})

test('results that nothing shows are forgotten, the oldest first', async () => {
  const { read, isKept } = clientOf()
  for (let id = 0; id < 150; id++) await read(id)
  expect([0, 10, 60, 149].map(isKept)).toEqual([false, false, true, true])
})

test('what is read past the cache leaves nothing in it', async () => {
  const { read, isKept } = clientOf()
  await read(1, { requestPolicy: 'network-only', isKept: false })
  expect(isKept(1)).toBe(false)
})

test('a change has all that is shown of its types read again, however long ago it was read', async () => {
  const { client, asked, read } = clientOf()
  const shown = [1, 1_001].map((id) =>
    pipe(
      client.query(READ, { id }),
      subscribe(() => {}),
    ),
  )
  for (let id = 2; id < 200; id++) await read(id)
  asked.length = 0
  await client.mutation(RENAME, {}).toPromise()
  await eventually(async () => expect(asked).toEqual(['mutation', 1]))
  for (const { unsubscribe } of shown) unsubscribe()
})
