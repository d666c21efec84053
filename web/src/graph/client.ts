import {
  type AnyVariables,
  createClient,
  mapExchange,
  type Operation,
  type OperationResult,
  type TypedDocumentNode,
} from '@urql/core'
import { boundedCacheExchange } from './cache.ts'
import { exactFetchExchange } from './exchange.ts'
import { codesOf, RequestError } from './request-error.ts'
import { numberOfSignIns, requireSignIn } from './session.ts'

/** Number of sign-ins when something was asked. */
const askedBehind = new WeakMap<Operation, number>()

/** Reads and changes; `useFollow` watches. */
export const client = createClient({
  url: '/graphql',
  requestPolicy: 'cache-and-network',
  exchanges: [
    boundedCacheExchange,
    // Behind the cache: what it answers again may be of a time without a sign-in.
    mapExchange({
      onOperation(operation) {
        askedBehind.set(operation, numberOfSignIns())
      },
      onError(error, operation) {
        const isOfNow = askedBehind.get(operation) === numberOfSignIns()
        if (isOfNow && codesOf(error).includes('UNAUTHENTICATED')) requireSignIn()
      },
    }),
    exactFetchExchange,
  ],
})

/** Reads once, past the cache, and leaves nothing in it. @throws RequestError */
export const read = async <Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> =>
  dataOf(await client.query(document, variables, { requestPolicy: 'network-only', isKept: false }))

/** Changes something. @throws RequestError */
export const change = async <Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> => dataOf(await client.mutation(document, variables))

function dataOf<Data>({ data, error }: Pick<OperationResult<Data>, 'data' | 'error'>): Data {
  if (error) throw new RequestError(error)
  if (!data) throw new Error('The server answered without data')
  return data
}
