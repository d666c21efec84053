import { readFileSync } from 'node:fs'
import { loadSupergraph } from '../../../../gateway/federation/supergraph/supergraph.ts'
import { OwnTurns } from '../../../../platform/load/load.ts'
import { createLogger } from '../../../../platform/process/logger.ts'

const SUPERGRAPH = new URL('../../../../schema/supergraph.graphql', import.meta.url)

test('new operations that come at once leave turns of the event loop for others, and callers take turns', async () => {
  const supergraph = loadSupergraph(readFileSync(SUPERGRAPH, 'utf8'), [], createLogger('error'), {
    turns: new OwnTurns(),
  })
  let turns = 0
  let next = setImmediate(function count() {
    turns++
    next = setImmediate(count)
  })
  const prepared: string[] = []
  const prepare = async (owner: string, n: number) => {
    const operation = await supergraph.prepare(`{ a${n}: __typename }`, null, undefined, owner)
    expect(operation).toHaveProperty('run')
    prepared.push(owner)
  }
  const many = Array.from({ length: 50 }, (_, n) => prepare('many', n))
  await Promise.all([...many, prepare('one', many.length)])
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(many.length)
  expect(prepared.indexOf('one')).toBeLessThan(5)
})
