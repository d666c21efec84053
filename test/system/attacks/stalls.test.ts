import { startTarget, withstands } from './_support/target.ts'
import { send } from './send.ts'
import { STALLS } from './stall-corpus.ts'
import { READING_STALLS } from './stall-corpus-reading.ts'

let target: Awaited<ReturnType<typeof startTarget>>

beforeAll(async () => {
  target = await startTarget()
}, 60_000)

afterAll(() => target?.stop(), 60_000)

test.each([...STALLS, ...READING_STALLS])(
  '$name',
  async ({ name, before, request, status }) => {
    await before?.(target.url)
    await withstands(target, name, async () =>
      expect(await send(target.url, request())).toMatchObject({ status }),
    )
  },
  240_000,
)
