import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  readTrustedDocuments,
  trustedDocumentFaults,
} from '../../../../gateway/operations/trusted-documents.ts'

let folder: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-trusted-'))
  file = join(folder, 'manifest.json')
})
afterAll(() => rm(folder, { recursive: true }))

const read = async (manifest: unknown) => {
  await writeFile(file, typeof manifest === 'string' ? manifest : JSON.stringify(manifest))
  return readTrustedDocuments(file)
}

const APOLLO = {
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations: [
    { id: 'abc', name: 'A', type: 'query', body: 'query A { a }' },
    { id: 'def', name: 'B', type: 'mutation', body: 'mutation B { b }' },
  ],
}

test.each([
  ["Apollo's tools", APOLLO],
  ["Relay's compiler", { abc: 'query A { a }', def: 'mutation B { b }' }],
])('reads the manifest of %s', async (_whose, manifest) => {
  const documents = await read(manifest)
  expect(documents.texts).toEqual(['query A { a }', 'mutation B { b }'])
  expect(documents.byId('abc')).toBe('query A { a }')
  expect(documents.byId('sha256:def')).toBe('mutation B { b }')
  expect(documents.byId('constructor')).toBeUndefined()
  expect(documents.has('mutation B { b }')).toBe(true)
  expect(documents.has('mutation B { c }')).toBe(false)
})

test.each([
  ['no JSON', '{', /is no JSON/],
  ['a list', [], /is neither/],
  ['ids of something else', { abc: 7 }, /is neither/],
  ['another version', { ...APOLLO, version: 2 }, /is neither/],
  ['an operation without a body', { ...APOLLO, operations: [{ id: 'a' }] }, /is neither/],
])('refuses %s, and names the setting', async (_what, manifest, message) => {
  await expect(read(manifest)).rejects.toThrow(message)
  expect(trustedDocumentFaults({ TRUSTED_DOCUMENTS: file, TRUSTED_DOCUMENTS_ONLY: false })).toEqual(
    [expect.stringMatching(`^TRUSTED_DOCUMENTS=${file} ${message.source}`)],
  )
})

test('refuses a file that is not there', () => {
  expect(() => readTrustedDocuments(join(folder, 'none.json'))).toThrow(/cannot be read/)
})
