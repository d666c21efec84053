import { likeOf } from '../../../subgraphs/events/stream/predicate/like.ts'
import { leastProcessorMs } from '../../support/processor-ms.ts'

test('a long pattern with wildcards is left to the database where a text is long, too', async () => {
  const matches = likeOf(`%${'_a'.repeat(4_000)}b%`)
  const spentMs = await leastProcessorMs(300, () =>
    expect(matches('a'.repeat(32_000))).toBeUndefined(),
  )
  expect(spentMs).toBeLessThan(300)
  expect(matches('a'.repeat(10))).toBe(false)
  expect(likeOf('%_a%')('a'.repeat(32_000))).toBe(true)
  expect(likeOf(`%${'a'.repeat(8_000)}b%`)('a'.repeat(32_000))).toBe(false)
})
