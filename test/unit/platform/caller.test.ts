import { SignJWT } from 'jose'
import { createCallerSignature, openCaller } from '../../../subgraphs/platform/access/caller.ts'

const SECRET = 'an internal secret of enough letters'
const caller = openCaller('r-1')
const signature = createCallerSignature(SECRET)

test('what one process signs another accepts, unchanged', async () => {
  const elsewhere = createCallerSignature(SECRET)
  expect(await elsewhere.verify(await signature.sign(caller))).toEqual(caller)
})

const key = new TextEncoder().encode(SECRET)
const expired = () =>
  new SignJWT({ caller })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience('assay-subgraph')
    .setExpirationTime(1)
    .sign(key)
const otherAudience = () =>
  new SignJWT({ caller }).setProtectedHeader({ alg: 'HS256' }).setAudience('else').sign(key)

test.each<[string, () => Promise<unknown> | unknown]>([
  ['nothing', () => undefined],
  ['text', () => 'x.y.z'],
  ['a token of another secret', () => createCallerSignature(`${SECRET}!`).sign(caller)],
  ['an expired token', expired],
  ['a token for something else', otherAudience],
])('%s is refused as UNAUTHENTICATED', async (_, token) => {
  await expect(signature.verify(await token())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
})
