import { send } from '../../system/attacks/send.ts'
import type { Attack } from '../../system/attacks/stall-corpus.ts'
import { startTarget, type Target, withstands } from './target.ts'

/** A test for each attack on one product. @returns the product, once tests run */
export function testStalls(
  stalls: readonly Attack[],
  env: Readonly<Record<string, string>> = {},
): () => Target {
  let target: Awaited<ReturnType<typeof startTarget>>
  beforeAll(async () => {
    target = await startTarget(env)
  })
  afterAll(() => target?.stop())

  test.each(stalls)('$name', async ({ name, before, request, status }) => {
    await before?.(target.url)
    await withstands(target, name, async () =>
      expect(await send(target.url, request())).toMatchObject({ status }),
    )
  })
  return () => target
}
