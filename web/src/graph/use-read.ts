import type { AnyVariables, TypedDocumentNode } from '@urql/core'
import { useQuery } from 'urql'
import { sentenceOf } from './request-error.ts'

/** Reads while the component is shown, from the cache at first. @param skip reads nothing yet */
export function useRead<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  skip = false,
) {
  const [{ data, error, fetching }, refetch] = useQuery({ query, variables, pause: skip })
  return {
    data,
    error: error ? sentenceOf(error) : null,
    isLoading: fetching && !data,
    reload: () => refetch({ requestPolicy: 'network-only' }),
  }
}
