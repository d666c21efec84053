import { createHash } from 'node:crypto'
import { AppError } from '../../../../formats/errors.ts'
import {
  type DocumentRules,
  persistedDocuments,
} from '../../../../gateway/operations/persisted-documents.ts'

const TEXT = '{ a }'
const OTHER = '{ b }'
const TRUSTED = '{ trusted }'
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const persisted = (hash: unknown, version: unknown = 1) => ({
  persistedQuery: { version, sha256Hash: hash },
})

const documents = new Map([
  ['listed', TRUSTED],
  [hashOf(TRUSTED), TRUSTED],
])
const trusted = {
  byId: (id: string) => documents.get(id),
  has: (text: string) => text === TRUSTED,
  texts: [TRUSTED],
}

function finder(rules: Partial<DocumentRules> & { trusted?: typeof trusted } = {}) {
  const admitted: string[] = []
  const find = persistedDocuments(
    { automaticDocuments: true, trustedOnly: false, ...rules },
    rules.trusted ?? null,
    (text) => {
      if (text.includes('huge')) throw new AppError('OPERATION_LIMIT_EXCEEDED', 'too much')
      admitted.push(text)
    },
  )
  return { find, admitted }
}

test('a text is found by its hash once it was sent with it', () => {
  const { find, admitted } = finder()
  const extensions = persisted(hashOf(TEXT))
  expect(() => find({ extensions })).toThrow(
    expect.objectContaining({
      code: 'PERSISTED_QUERY_NOT_FOUND',
      message: 'PersistedQueryNotFound',
    }),
  )
  expect(find({ query: TEXT, extensions })).toBe(TEXT)
  expect(find({ extensions })).toBe(TEXT)
  expect(find({ query: '', extensions })).toBe(TEXT)
  expect(find({ query: null, extensions: JSON.stringify(extensions) })).toBe(TEXT)
  expect(admitted).toEqual([TEXT])
})

test('a text that is refused is not registered', () => {
  const { find } = finder()
  const extensions = persisted(hashOf('{ huge }'))
  expect(() => find({ query: '{ huge }', extensions })).toThrow('too much')
  expect(() => find({ extensions })).toThrow('PersistedQueryNotFound')
})

test.each([
  ['a hash of another text', { query: OTHER, extensions: persisted(hashOf(TEXT)) }, 'provided sha'],
  ['no text', {}, 'query: expected a text'],
  ['an empty text', { query: '' }, 'query: expected a text'],
  ['a text that is none', { query: 7 }, 'query: expected a text'],
  ['extensions that are no JSON', { extensions: '{' }, 'extensions: expected JSON'],
  ['extensions that are no object', { extensions: '7' }, 'extensions: expected an object'],
  ['extensions in a list', { extensions: [7] }, 'extensions: expected an object'],
  ['another version', { extensions: persisted(hashOf(TEXT), 2) }, 'Unsupported persisted query'],
  ['a hash that is no text', { extensions: persisted(7) }, 'sha256Hash: expected a text'],
  ['a persisted query that is no object', { extensions: { persistedQuery: 7 } }, 'Unsupported'],
])('%s is refused', (_what, request, message) => {
  expect(() => finder().find(request)).toThrow(
    expect.objectContaining({ code: 'BAD_USER_INPUT', message: expect.stringContaining(message) }),
  )
})

test('a hash of another text is refused for a known hash, too', () => {
  const { find } = finder()
  const extensions = persisted(hashOf(TEXT))
  find({ query: TEXT, extensions })
  expect(() => find({ query: OTHER, extensions })).toThrow('provided sha does not match query')
})

test('hashes may be switched off, and texts still pass', () => {
  const { find } = finder({ automaticDocuments: false })
  expect(() => find({ query: TEXT, extensions: persisted(hashOf(TEXT)) })).toThrow(
    expect.objectContaining({ code: 'PERSISTED_QUERY_NOT_SUPPORTED' }),
  )
  expect(find({ query: TEXT })).toBe(TEXT)
  expect(find({ query: TEXT, extensions: {} })).toBe(TEXT)
})

test.each([
  ['an id', { documentId: 'listed' }],
  ["an id as Relay's clients send it", { doc_id: 'listed' }],
  ["a hash of Apollo's protocol", { extensions: persisted(hashOf(TRUSTED)) }],
  ['its text', { query: TRUSTED }],
  ['its text with its hash', { query: TRUSTED, extensions: persisted(hashOf(TRUSTED)) }],
])('a trusted document is found by %s', (_how, request) => {
  for (const trustedOnly of [true, false])
    expect(finder({ trusted, trustedOnly }).find(request)).toBe(TRUSTED)
})

test.each([
  ['another text', { query: TEXT }, 'FORBIDDEN', 'Only trusted documents'],
  [
    'a text with its hash',
    { query: TEXT, extensions: persisted(hashOf(TEXT)) },
    'NOT_FOUND',
    'No trusted document has the id',
  ],
  ['an unknown hash', { extensions: persisted(hashOf(TEXT)) }, 'NOT_FOUND', hashOf(TEXT)],
  ['an unknown id', { documentId: 'x' }, 'NOT_FOUND', 'No trusted document has the id "x"'],
  ['an id that is no text', { documentId: ['listed'] }, 'NOT_FOUND', '["listed"]'],
])('where only trusted documents run, %s is refused', (_what, request, code, message) => {
  expect(() => finder({ trusted, trustedOnly: true }).find(request)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  )
})

test('an id means nothing where no document is trusted', () => {
  expect(() => finder().find({ query: TEXT, documentId: 'listed' })).toThrow('No trusted document')
})
