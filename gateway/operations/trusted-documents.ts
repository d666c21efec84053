import { readFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import { ConfigError } from '../../subgraphs/platform/settings/env.ts'

/** Documents that the operator has put on a list. */
export interface TrustedDocuments {
  byId(id: string): string | undefined
  has(text: string): boolean
  size: number
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
export async function readTrustedDocuments(
  file: string,
  ownDocuments: readonly string[] = [],
): Promise<TrustedDocuments> {
  const manifest = await read(file)
  const byId = new Map(
    Array.isArray(manifest.operations)
      ? manifest.operations.map(({ id, body }) => [id, body])
      : Object.entries(manifest as Record<string, string>),
  )
  const texts = new Set([...byId.values(), ...ownDocuments])
  return {
    byId: (id) => byId.get(id) ?? byId.get(id.replace(/^sha256:/, '')),
    has: (text) => texts.has(text),
    size: byId.size,
  }
}

async function read(file: string): Promise<Manifest> {
  const fail = (what: string) => new ConfigError([`TRUSTED_DOCUMENTS=${file} ${what}`])
  const text = await readFile(file, 'utf8').catch(({ message }: Error) => {
    throw fail(`cannot be read: ${message}`)
  })
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch (error) {
    throw fail(`is no JSON: ${(error as Error).message}`)
  }
  const isManifest = new Ajv().compile<Manifest>(MANIFEST)
  if (!isManifest(manifest))
    throw fail(
      'is neither a manifest of persisted queries of Apollo nor an object of ids and documents',
    )
  return manifest
}
