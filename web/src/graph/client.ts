import {
  type AnyVariables,
  type CombinedError,
  cacheExchange,
  createClient,
  mapExchange,
  type OperationResult,
  type TypedDocumentNode,
} from '@urql/core'
import { exactFetchExchange } from './exchange.ts'
import { requireSignIn } from './session.ts'

/** Reads and changes; `useFollow` watches. */
export const client = createClient({
  url: '/graphql',
  requestPolicy: 'cache-and-network',
  exchanges: [
    mapExchange({
      onError(error) {
        if (codesOf(error).includes('UNAUTHENTICATED')) requireSignIn()
      },
    }),
    cacheExchange,
    exactFetchExchange,
  ],
})

/** Reads once, past the cache. @throws RequestError */
export const read = async <Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> =>
  dataOf(await client.query(document, variables, { requestPolicy: 'network-only' }))

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

/** A failure with a sentence for the reader. */
export class RequestError extends Error {
  readonly codes: readonly unknown[]
  constructor(error: CombinedError) {
    super(sentenceOf(error))
    this.codes = codesOf(error)
  }
}

export const UNREACHABLE = 'The server cannot be reached'

/** Why a request failed, for people. */
export function sentenceOf(error: CombinedError): string {
  if (error.networkError) return UNREACHABLE
  return error.graphQLErrors.map(({ message }) => message).join(' · ') || error.message
}

function codesOf({ graphQLErrors }: CombinedError): unknown[] {
  return graphQLErrors.map(({ extensions }) => extensions.code)
}
