import { startTarget, withstands } from './_support/target.ts'
import { send } from './send.ts'
import { RESULT_STALLS } from './stall-corpus-results.ts'

let target: Awaited<ReturnType<typeof startTarget>>

beforeAll(async () => {
  target = await startTarget({ COMMAND_STEPS: 'on' })
}, 60_000)

afterAll(() => target?.stop(), 60_000)

test.each(RESULT_STALLS)(
  '$name',
  async ({ name, before, request, status }) => {
    await before?.(target.url)
    await withstands(target, name, async () =>
      expect(await send(target.url, request())).toMatchObject({ status }),
    )
  },
  240_000,
)
