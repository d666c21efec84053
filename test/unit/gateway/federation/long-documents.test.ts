import { readFileSync } from 'node:fs'
import { loadSupergraph } from '../../../../gateway/federation/supergraph/supergraph.ts'
import { createLogger } from '../../../../platform/process/logger.ts'

const SUPERGRAPH = new URL('../../../../schema/supergraph.graphql', import.meta.url)

test('a document is kept prepared unless it is so long that many would fill the memory', async () => {
  const supergraph = loadSupergraph(readFileSync(SUPERGRAPH, 'utf8'), [], createLogger('error'))
  const short = '{ __typename }'
  const long = `{ __typename } # ${'x'.repeat(100_000)}`
  expect(await supergraph.prepare(short)).toBe(await supergraph.prepare(short))
  expect(await supergraph.prepare(long)).not.toBe(await supergraph.prepare(long))
  expect(supergraph.known().map(({ text }) => text)).toEqual([short])
})
