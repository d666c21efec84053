import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import type { Logger } from '../../platform/process/logger.ts'
import { ConfigError, missing } from '../../platform/settings/env.ts'
import type { Variables } from '../../platform/settings/variables.ts'
import type { RemoteText } from '../settings-file/remote-text.ts'

/** Documents that the operator has put on a list. */
export interface TrustedDocuments {
  byId(id: string): string | undefined
  has(text: string): boolean
  /** Those of the list itself. */
  texts: readonly string[]
}

/** The manifest of Apollo's tools, or the one of Relay's compiler. */
type Manifest = { operations: { id: string; body: string }[] } | Record<string, string>

const TEXT = { type: 'string', minLength: 1 }

/** As JSON Schema; compiled when a list is read. */
const MANIFEST = {
  anyOf: [
    {
      type: 'object',
      required: ['format', 'operations'],
      properties: {
        format: { const: 'apollo-persisted-query-manifest' },
        version: { const: 1 },
        operations: {
          type: 'array',
          items: {
            type: 'object',
            required: ['id', 'body'],
            properties: { id: TEXT, body: TEXT },
          },
        },
      },
    },
    { type: 'object', required: [], additionalProperties: TEXT },
  ],
}

/**
 * Reads a manifest: `{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id", "body"}]}` or
 * `{"<id>": "<document>"}`.
 * @param ownDocuments texts that are trusted besides, without an id
 * @throws ConfigError with the fault
 */
export const readTrustedDocuments = (
  file: string,
  ownDocuments: readonly string[] = [],
): TrustedDocuments => documentsOf(read(file), ownDocuments)

/**
 * Follows a manifest at an address. One that cannot be used leaves the list as it was.
 * @throws ConfigError where there is none to begin with
 */
export async function followTrustedDocuments(
  remote: RemoteText,
  ownDocuments: readonly string[],
  log: Logger,
): Promise<TrustedDocuments & { stop(): void }> {
  async function readAgain(): Promise<TrustedDocuments> {
    const text = await remote.read()
    const documents = documentsOf(manifestIn(text, remote.from), ownDocuments)
    remote.keep(text)
    return documents
  }
  let current = await readAgain().catch((error: Error) => {
    throw error instanceof ConfigError ? error : faultOf(remote.from, error.message)
  })
  const stop = remote.watch(() => {
    readAgain()
      .then((documents) => {
        current = documents
        log.info({ documents: documents.texts.length }, 'The trusted documents were loaded again')
      })
      .catch(({ message: reason }: Error) =>
        log.error({ reason }, 'The trusted documents cannot be used; those before stay'),
      )
  })
  return {
    stop,
    byId: (id) => current.byId(id),
    has: (text) => current.has(text),
    get texts() {
      return current.texts
    },
  }
}

function documentsOf(manifest: Manifest, ownDocuments: readonly string[]): TrustedDocuments {
  const byId = new Map(
    Array.isArray(manifest.operations)
      ? manifest.operations.map(({ id, body }) => [id, body])
      : Object.entries(manifest as Record<string, string>),
  )
  const texts = new Set([...byId.values(), ...ownDocuments])
  return {
    byId: (id) => byId.get(id) ?? byId.get(id.replace(/^sha256:/, '')),
    has: (text) => texts.has(text),
    texts: [...byId.values()],
  }
}

/** Faults of the settings, and of the file that they name. */
export function trustedDocumentFaults(
  given: Pick<Variables, 'TRUSTED_DOCUMENTS' | 'TRUSTED_DOCUMENTS_ONLY'>,
): readonly string[] {
  if (!given.TRUSTED_DOCUMENTS)
    return given.TRUSTED_DOCUMENTS_ONLY
      ? missing(given, ['TRUSTED_DOCUMENTS'], 'with TRUSTED_DOCUMENTS_ONLY')
      : []
  try {
    if (!isAddress(given.TRUSTED_DOCUMENTS)) read(given.TRUSTED_DOCUMENTS)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

export const isAddress = (given: string): boolean => /^https?:/.test(given)

const faultOf = (from: string, what: string) =>
  new ConfigError([`TRUSTED_DOCUMENTS=${from} ${what}`])

function attempt<T>(from: string, what: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw faultOf(from, `${what}: ${(error as Error).message}`)
  }
}

const read = (file: string): Manifest =>
  manifestIn(
    attempt(file, 'cannot be read', () => readFileSync(file, 'utf8')),
    file,
  )

function manifestIn(text: string, from: string): Manifest {
  const manifest: unknown = attempt(from, 'is no JSON', () => JSON.parse(text))
  const isManifest = new Ajv().compile<Manifest>(MANIFEST)
  if (!isManifest(manifest))
    throw faultOf(
      from,
      'is neither a manifest of persisted queries of Apollo nor an object of ids and documents',
    )
  return manifest
}
