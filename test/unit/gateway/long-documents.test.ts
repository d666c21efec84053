import { readFileSync } from 'node:fs'
import { loadSupergraph } from '../../../gateway/supergraph/supergraph.ts'
import { createLogger } from '../../../subgraphs/shared/logger.ts'

const SUPERGRAPH = new URL('../../../schema/supergraph.graphql', import.meta.url)

test('a document is kept prepared unless it is so long that many would fill the memory', () => {
  const supergraph = loadSupergraph(readFileSync(SUPERGRAPH, 'utf8'), [], createLogger('error'))
  const short = '{ __typename }'
  const long = `{ __typename } # ${'x'.repeat(100_000)}`
  expect(supergraph.prepare(short)).toBe(supergraph.prepare(short))
  expect(supergraph.prepare(long)).not.toBe(supergraph.prepare(long))
  expect(supergraph.known().map(({ text }) => text)).toEqual([short])
})
