import { readFileSync } from 'node:fs'
import type { SubgraphLink } from '../../../../gateway/federation/links/link.ts'
import {
  loadSupergraph,
  type SupergraphOptions,
} from '../../../../gateway/federation/supergraph/supergraph.ts'
import { createLogger } from '../../../../platform/process/logger.ts'

const SUPERGRAPH = new URL('../../../../schema/supergraph.graphql', import.meta.url)

const LINKS = ['accounts', 'events', 'server', 'test-execution'].map((name) => ({
  name,
})) as SubgraphLink[]

const load = (options: SupergraphOptions = {}) =>
  loadSupergraph(readFileSync(SUPERGRAPH, 'utf8'), LINKS, createLogger('error'), options)

test('a document is kept prepared unless it is so long that many would fill the memory', async () => {
  const supergraph = load()
  const short = '{ __typename }'
  const long = `{ __typename } # ${'x'.repeat(100_000)}`
  expect(await supergraph.prepare(short)).toBe(await supergraph.prepare(short))
  expect(await supergraph.prepare(long)).not.toBe(await supergraph.prepare(long))
  expect(supergraph.known().map(({ text }) => text)).toEqual([short])
})

const FRAGMENT = 'fragment F on Query { testCases(first: 1) { nodes { id name created } } }'

test('of operations with many fields fewer are kept, however short their documents are', async () => {
  const supergraph = load({ planCacheSize: 200 })
  const names = Array.from({ length: 30 }, (_, at) => `Large${at}`)
  for (const name of names)
    await supergraph.prepare(`query ${name} { ${'...F '.repeat(200)} } ${FRAGMENT}`)
  const kept = supergraph.known()
  expect(kept.map(({ text }) => text.split(' ', 2)[1])).toEqual(names.slice(-20).toReversed())
  for (let at = 0; at < 300; at++) await supergraph.prepare(`{ small${at}: __typename }`)
  expect(supergraph.known()).toHaveLength(200)
})

test.each([
  ['{ ...F } ', 5],
  ['{ ...F ...F } ', 10],
  ['{ ... @defer { ...F } } ', 10],
  [
    'query ($a: Boolean! $b: Boolean!) { ... @defer(if: $a) { ...F } ... @defer(if: $b) { ...F } } ',
    50,
  ],
  [`query ($a: Boolean!) { ${'... @defer(if: $a) { ...F } '.repeat(6)} } `, 510],
])('%s counts as %d fields, with all that is planned for it', async (text, size) => {
  expect(await load().prepare(text + FRAGMENT)).toMatchObject({ size })
})
