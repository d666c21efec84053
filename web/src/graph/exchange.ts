import {
  type Exchange,
  makeErrorResult,
  makeResult,
  type Operation,
  type OperationResult,
  stringifyDocument,
} from '@urql/core'
import { filter, fromPromise, merge, mergeMap, pipe, share, takeUntil } from 'wonka'
import { parseExact } from './exact.ts'

const MEDIA_TYPE = 'application/graphql-response+json'

/** As urql's `fetchExchange`, but numbers in responses keep their digits. */
export const exactFetchExchange: Exchange =
  ({ forward }) =>
  (operations) => {
    const shared = share(operations)
    const results = pipe(
      shared,
      filter(isRequest),
      mergeMap((operation) => {
        // Read again, the former response would be of an earlier time and may come later.
        const ended = pipe(
          shared,
          filter(
            (other) =>
              other.key === operation.key &&
              (other.kind === 'teardown' || (other.kind === 'query' && other !== operation)),
          ),
        )
        return pipe(fromPromise(send(operation)), takeUntil(ended))
      }),
    )
    const others = pipe(
      shared,
      filter((operation) => !isRequest(operation)),
      forward,
    )
    return merge([results, others])
  }

/** Error for a response that is not the server's: that answers with JSON whatever happens. */
export class ForeignResponse extends Error {
  constructor(status: number) {
    super(`Something between this page and the server, such as a proxy, answered with ${status}`)
  }
}

function bodyOf(status: number, text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    throw new ForeignResponse(status)
  }
}

const isRequest = ({ kind }: Operation) => kind === 'query' || kind === 'mutation'

async function send(operation: Operation): Promise<OperationResult> {
  const { query, variables, context } = operation
  try {
    const response = await fetch(context.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: MEDIA_TYPE },
      cache: 'no-store',
      body: JSON.stringify({ query: stringifyDocument(query), variables }),
    })
    const body = bodyOf(response.status, await response.text())
    return makeResult(operation, body as Parameters<typeof makeResult>[1], response) // as GraphQL answers
  } catch (error) {
    return makeErrorResult(operation, error instanceof Error ? error : new Error(String(error)))
  }
}
