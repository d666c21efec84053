import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { ConfigError, missing } from '../../platform/settings/env.ts'
import type { Variables } from '../../platform/settings/variables.ts'

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
export function readTrustedDocuments(
  file: string,
  ownDocuments: readonly string[] = [],
): TrustedDocuments {
  const manifest = read(file)
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
    read(given.TRUSTED_DOCUMENTS)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

function read(file: string): Manifest {
  const fail = (what: string) => new ConfigError([`TRUSTED_DOCUMENTS=${file} ${what}`])
  const attempt = <T>(what: string, act: () => T): T => {
    try {
      return act()
    } catch (error) {
      throw fail(`${what}: ${(error as Error).message}`)
    }
  }
  const text = attempt('cannot be read', () => readFileSync(file, 'utf8'))
  const manifest: unknown = attempt('is no JSON', () => JSON.parse(text))
  const isManifest = new Ajv().compile<Manifest>(MANIFEST)
  if (!isManifest(manifest))
    throw fail(
      'is neither a manifest of persisted queries of Apollo nor an object of ids and documents',
    )
  return manifest
}
