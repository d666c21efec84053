import { SignJWT } from 'jose'
import { openCaller } from '../../../platform/access/caller.ts'
import {
  CLOCK_TOLERANCE_SECONDS,
  createCallerSignature,
} from '../../../platform/access/caller-signature.ts'

const SECRET = 'an internal secret of enough letters'
const caller = openCaller('r-1')
const signature = createCallerSignature(SECRET)

test('what one process signs another accepts, unchanged', async () => {
  const elsewhere = createCallerSignature(SECRET)
  expect(await elsewhere.verify(await signature.sign(caller))).toEqual(caller)
})

const key = new TextEncoder().encode(SECRET)
const signedBy = (differenceSeconds: number) => {
  const seconds = Math.floor(Date.now() / 1_000) + differenceSeconds
  return new SignJWT({ caller })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience('assay-subgraph')
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 60)
    .sign(key)
}
const otherAudience = () =>
  new SignJWT({ caller }).setProtectedHeader({ alg: 'HS256' }).setAudience('else').sign(key)

test.each<[string, () => Promise<unknown> | unknown, RegExp]>([
  ['nothing', () => undefined, /no signature/],
  ['text', () => 'x.y.z', /no signature/],
  [
    'a token of another secret',
    () => createCallerSignature(`${SECRET}!`).sign(caller),
    /another INTERNAL_SECRET/,
  ],
  ['an expired token', () => signedBy(-600), /expired 54\d seconds ago.*300.*set the time/],
  ['a token for something else', otherAudience, /no signature/],
])('%s is refused as DOWNSTREAM_REFUSED, with the reason', async (_, token, message) => {
  await expect(signature.verify(await token())).rejects.toMatchObject({
    code: 'DOWNSTREAM_REFUSED',
    message: expect.stringMatching(message),
  })
})

test.each([CLOCK_TOLERANCE_SECONDS, -CLOCK_TOLERANCE_SECONDS])(
  'a gateway whose clock differs by %i seconds is answered, and the difference is logged once',
  async (differenceSeconds) => {
    const lines: object[] = []
    const log = { warn: (facts: object) => void lines.push(facts) }
    const watching = createCallerSignature(SECRET, log)
    const token = await signedBy(differenceSeconds)
    expect(await watching.verify(token)).toEqual(caller)
    expect(await watching.verify(token)).toEqual(caller)
    expect(lines).toHaveLength(1)
    const [{ differenceSeconds: logged }] = lines as [{ differenceSeconds: number }]
    expect(Math.abs(logged - differenceSeconds)).toBeLessThanOrEqual(2)
  },
)
