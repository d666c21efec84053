import type { CombinedError } from '@urql/core'
import { ForeignResponse } from './exchange.ts'

/** A failure with a sentence for the reader. */
export class RequestError extends Error {
  readonly codes: readonly unknown[]
  constructor(error: CombinedError) {
    super(sentenceOf(error))
    this.codes = codesOf(error)
  }
}

export const UNREACHABLE = 'The server cannot be reached'

/** True if the server that this page came from answers. */
export async function isReachable(): Promise<boolean> {
  const asked = { method: 'HEAD', cache: 'no-store', headers: { accept: 'text/html' } } as const
  return (await fetch('/', asked).catch(() => null))?.ok ?? false
}

/** Why a request failed, for people. */
export function sentenceOf(error: CombinedError): string {
  if (error.networkError instanceof ForeignResponse) return error.networkError.message
  if (error.networkError) return UNREACHABLE
  return error.graphQLErrors.map(({ message }) => message).join(' · ') || error.message
}

export function codesOf({ graphQLErrors }: CombinedError): unknown[] {
  return graphQLErrors.map(({ extensions }) => extensions.code)
}
