import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../formats/errors.ts'
import { isEmptyList } from '../../formats/is-object.ts'
import type { TrustedDocuments } from './trusted-documents.ts'

/** Parameters with which a client names an operation, over any transport. */
export interface OperationRequest {
  query?: unknown
  operationName?: string | null | undefined
  /** The id of a trusted document (GraphQL over HTTP, Appendix A). */
  documentId?: unknown
  /** The same, as Relay's clients send it. */
  doc_id?: unknown
  /** An object; its text in a GET request. `persistedQuery` holds the hash of Apollo's protocol. */
  extensions?: unknown
}

export interface DocumentRules {
  /** True if clients may register documents by their hash (Apollo's automatic persisted queries). */
  automaticDocuments: boolean
  /** True if nothing but trusted documents is run. */
  trustedOnly: boolean
}

/** Characters of the documents that clients have registered; what they use least is forgotten first. */
const MAX_CHARACTERS = 32 * 1024 * 1024

/**
 * Finds the document that a request means: by its text, by the hash of a text that a client has sent before, or by the id
 * of a trusted document.
 * @param assertAllowed throws for a document that must not be registered
 * @returns a function that throws AppError where there is no such document
 */
export function persistedDocuments(
  { automaticDocuments, trustedOnly }: DocumentRules,
  trusted: TrustedDocuments | null,
  assertAllowed: (text: string) => void,
): (request: OperationRequest) => string {
  const registered = new LRUCache<string, string>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ length }) => length,
  })

  function byHash(hash: string, query: unknown): string {
    const known = trusted?.byId(hash) ?? registered.get(hash)
    if (known !== undefined) {
      if (query !== undefined && query !== known) throw mismatch()
      return known
    }
    if (!automaticDocuments || trustedOnly) throw trusted ? noSuchDocument(hash) : notSupported()
    if (query === undefined)
      throw new AppError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound')
    const text = textIn(query)
    if (createHash('sha256').update(text).digest('hex') !== hash) throw mismatch()
    assertAllowed(text)
    registered.set(hash, text)
    return text
  }

  return ({ query: given, documentId, doc_id: relayId, extensions }) => {
    // WebSocket clients have to send a text, and leave it empty where a hash stands for it.
    const query = given === '' || given === null ? undefined : given
    const id = documentId ?? relayId
    if (id !== undefined) {
      const text = typeof id === 'string' ? trusted?.byId(id) : undefined
      if (text === undefined) throw noSuchDocument(id)
      return text
    }
    const hash = hashIn(extensions)
    if (hash !== undefined) return byHash(hash, query)
    const text = textIn(query)
    if (trustedOnly && !trusted?.has(text))
      throw new AppError(
        'FORBIDDEN',
        'Only trusted documents are run here: send the id of one, or have the operator add this one to TRUSTED_DOCUMENTS',
      )
    return text
  }
}

function textIn(query: unknown): string {
  if (typeof query !== 'string' || query === '')
    throw new AppError('BAD_USER_INPUT', 'query: expected a text')
  return query
}

/** The hash of Apollo's protocol. */
function hashIn(given: unknown): string | undefined {
  const extensions = typeof given === 'string' ? parsed(given) : given
  if (extensions === undefined || extensions === null || isEmptyList(extensions)) return undefined
  if (typeof extensions !== 'object' || Array.isArray(extensions))
    throw new AppError('BAD_USER_INPUT', 'extensions: expected an object')
  const { persistedQuery } = extensions as { persistedQuery?: unknown }
  if (persistedQuery === undefined || persistedQuery === null) return undefined
  const { version, sha256Hash } = Object(persistedQuery)
  if (version !== 1) throw new AppError('BAD_USER_INPUT', 'Unsupported persisted query version')
  if (typeof sha256Hash !== 'string')
    throw new AppError('BAD_USER_INPUT', 'extensions.persistedQuery.sha256Hash: expected a text')
  return sha256Hash
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('BAD_USER_INPUT', 'extensions: expected JSON')
  }
}

const mismatch = () => new AppError('BAD_USER_INPUT', 'provided sha does not match query')

const notSupported = () =>
  new AppError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported')

const noSuchDocument = (id: unknown) =>
  new AppError('NOT_FOUND', `No trusted document has the id ${JSON.stringify(id)}`)
