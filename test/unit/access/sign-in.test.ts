import { jest } from '@jest/globals'
import { clientAddress, trusted } from '../../../gateway/http/http-message.ts'
import { credentialOf } from '../../../gateway/sign-in/credential.ts'
import { networkOf } from '../../../platform/access/client-network.ts'
import type { Identity } from '../../../platform/access/identity.ts'
import { KnownSignIns } from '../../../subgraphs/accounts/sign-in/known-sign-ins.ts'
import { Passwords } from '../../../subgraphs/accounts/sign-in/passwords.ts'
import { Throttle } from '../../../subgraphs/accounts/sign-in/throttle.ts'
import { leastProcessorMs } from '../../support/processor-ms.ts'

const basic = (text: string) => `Basic ${btoa(text)}`

test.each([
  [{}, null],
  [{ authorization: basic('a:b:c') }, { kind: 'basic', user: 'a', password: 'b:c' }],
  [{ authorization: basic(':t') }, { kind: 'basic', user: '', password: 't' }],
  [{ authorization: basic('t:') }, { kind: 'basic', user: 't', password: '' }],
  [{ authorization: 'bearer  t' }, { kind: 'token', token: 't' }],
  [
    { authorization: 'Bearer t', token: 'u' },
    { kind: 'token', token: 'u' },
  ],
  [
    { authorization: 'Nonsense', token: '' },
    { kind: 'token', token: '' },
  ],
])('%j brings %j', (given, credential) => {
  expect(credentialOf(given)).toEqual(credential)
})

test('a sign-in longer than the headers of a request may be is not read', () => {
  for (const given of [{ token: 'x'.repeat(16_385) }, { authorization: basic('x'.repeat(20_000)) }])
    expect(() => credentialOf(given)).toThrow(/at most 16384 are read/)
})

test.each(['Nonsense', 'Bearer', 'Digest x', 'Basic ***', basic('no colon'), ''])(
  'Authorization: %s cannot be read',
  (authorization) => {
    expect(() => credentialOf({ authorization })).toThrow(/Authorization: expected/)
  },
)

test.each([
  ['10.0.0.1', undefined, '10.0.0.1'],
  ['10.0.0.1', '1.2.3.4', '1.2.3.4'],
  ['10.0.0.1', '9.9.9.9, 1.2.3.4, 10.0.0.2', '1.2.3.4'],
  ['::ffff:10.0.0.1', '1.2.3.4', '1.2.3.4'],
  ['8.8.8.8', '1.2.3.4', '8.8.8.8'],
  ['10.0.0.1', '1.2.3.4:50123', '1.2.3.4'],
  ['10.0.0.1', '[2001:db8::7]:50123', '2001:db8::7'],
  ['10.0.0.1', 'unknown', '10.0.0.1'],
  ['10.0.0.1', '1.2.3.4, <script>', '10.0.0.1'],
])('a request from %s for %s comes from %s', (remoteAddress, forwarded, address) => {
  const request = { remoteAddress, headers: { 'x-forwarded-for': forwarded } }
  expect(clientAddress(request as never, trusted(['10.0.0.0/8']))).toBe(address)
})

const ADA: Identity = { user: 'ada', permissions: [] }
const SIGN_IN = { kind: 'basic', user: 'ada', password: 'secret' } as const

function known() {
  let heard: (message: string | null) => void = () => {}
  const pubSub = {
    publish: async () => heard(''),
    subscribe: (_: string, listener: typeof heard) => {
      heard = listener
      return () => {}
    },
    stop: async () => {},
  }
  const verify = jest.fn(async () => ADA as Identity | null)
  return { signIns: new KnownSignIns(pubSub), verify, elsewhere: () => heard('') }
}

test('a sign-in is verified once, also when many come at once, and again after a change', async () => {
  const { signIns, verify, elsewhere } = known()
  await Promise.all([1, 2, 3].map(() => signIns.identify(SIGN_IN, verify)))
  expect(await signIns.identify(SIGN_IN, verify)).toBe(ADA)
  expect(verify).toHaveBeenCalledTimes(1)
  await signIns.identify({ ...SIGN_IN, password: 'other' }, verify)
  expect(verify).toHaveBeenCalledTimes(2)
  for (const forget of [() => signIns.forget(), elsewhere]) {
    forget()
    await signIns.identify(SIGN_IN, verify)
  }
  expect(verify).toHaveBeenCalledTimes(4)
})

test('what was found out before a change is not remembered after it', async () => {
  const { signIns, verify } = known()
  let finish = (_: Identity) => {}
  verify.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        finish = resolve
      }),
  )
  const slow = signIns.identify(SIGN_IN, verify)
  signIns.forget()
  finish(ADA)
  expect(await slow).toBe(ADA)
  await signIns.identify(SIGN_IN, verify)
  expect(verify).toHaveBeenCalledTimes(2)
})

test('failures and what has expired are not remembered', async () => {
  const { signIns, verify } = known()
  verify.mockResolvedValueOnce(null)
  expect(await signIns.identify(SIGN_IN, verify)).toBeNull()
  verify.mockResolvedValueOnce({ ...ADA, expiresAt: Date.now() - 1 })
  await signIns.identify(SIGN_IN, verify)
  await signIns.identify(SIGN_IN, verify)
  expect(verify).toHaveBeenCalledTimes(3)
})

test('failures are counted by account and address, successes are not', async () => {
  const throttle = new Throttle()
  const fail = (account: string, address: string) =>
    throttle.attempt(account, address, async () => null)
  for (let n = 0; n < 20; n++) await throttle.attempt('ada', 'here', async () => ADA)
  for (let n = 0; n < 10; n++) await fail('ada', 'here')
  await expect(fail('ada', 'here')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    extensions: { retryAfterSeconds: expect.any(Number) },
  })
  expect(await throttle.attempt('ada', 'elsewhere', async () => ADA)).toBe(ADA)
  for (let n = 0; n < 50; n++) await fail(`somebody-${n}`, 'there')
  await expect(fail('anybody', 'there')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
})

const RATE_LIMITED = { code: 'RATE_LIMITED' }

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:DB8:1:2::', '2001:db8:1:2::'],
  ['fe80::1%eth0', 'fe80::'],
  ['', ''],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('addresses of one /64 are one client, and IPv4 inside IPv6 is IPv4', async () => {
  const throttle = new Throttle()
  const fail = (address: string) => throttle.attempt('ada', address, async () => null)
  for (let n = 0; n < 10; n++) await fail(`2001:db8::${n}`)
  await expect(fail('2001:db8::ffff')).rejects.toMatchObject(RATE_LIMITED)
  expect(await fail('2001:db8:0:1::1')).toBeNull()
  for (let n = 0; n < 5; n++) {
    await fail('192.0.2.7')
    await fail('::ffff:192.0.2.7')
  }
  await expect(fail('192.0.2.7')).rejects.toMatchObject(RATE_LIMITED)
})

test('many addresses are slowed down for an account, but not where it has signed in from', async () => {
  const throttle = new Throttle()
  const fail = (address: string) => throttle.attempt('ada', address, async () => null)
  const signIn = (address: string) => throttle.attempt('ada', address, async () => ADA)
  await signIn('192.0.2.1')
  for (let n = 0; n < 100; n++) await fail(`198.51.100.${n}`)
  await expect(fail('203.0.113.9')).rejects.toMatchObject(RATE_LIMITED)
  await expect(throttle.check('ada', '203.0.113.9')).rejects.toMatchObject(RATE_LIMITED)
  expect(await signIn('192.0.2.1')).toBe(ADA)
  // Nor by failures of the same address with other accounts; with this one, they are guesses.
  for (let n = 0; n < 50; n++) await throttle.attempt(`other-${n}`, '192.0.2.1', async () => null)
  expect(await signIn('192.0.2.1')).toBe(ADA)
  for (let n = 0; n < 10; n++) await fail('192.0.2.1')
  await expect(signIn('192.0.2.1')).rejects.toMatchObject(RATE_LIMITED)
})

test('a caller who guesses the own password is counted apart from everybody else', async () => {
  const throttle = new Throttle()
  for (let n = 0; n < 120; n++)
    await throttle.attempt('ada', `198.51.100.${n}`, async () => null).catch(() => {})
  const guess = () => throttle.attemptOwn('ada', async () => null)
  for (let n = 0; n < 10; n++) expect(await guess()).toBeNull()
  await expect(guess()).rejects.toMatchObject(RATE_LIMITED)
})

test('many valid sign-ins at once lock nobody out', async () => {
  const throttle = new Throttle()
  const slowly = (account: string) =>
    throttle.attempt(account, 'here', async () => {
      await new Promise(setImmediate)
      return ADA
    })
  await Promise.allSettled(Array.from({ length: 200 }, (_, n) => slowly(`somebody-${n}`)))
  expect(await slowly('ada')).toBe(ADA)
})

test('a database that is away is no failed sign-in', async () => {
  const throttle = new Throttle()
  const away = () => throttle.attempt('ada', 'here', () => Promise.reject(new Error('away')))
  for (let n = 0; n < 20; n++) await expect(away()).rejects.toThrow('away')
})

test('passwords are stored as argon2id, and an unknown account has none', async () => {
  const passwords = new Passwords()
  const stored = await passwords.hash('correct horse battery')
  expect(stored).toMatch(/^\$argon2id\$/)
  expect(await passwords.matches(stored, 'correct horse battery')).toBe(true)
  expect(await passwords.matches(stored, 'correct horse battery')).toBe(true)
  const other = await passwords.hash('another horse battery')
  expect(await passwords.matches(other, 'correct horse battery')).toBe(false)
  expect(await passwords.matches(stored, 'wrong horse battery')).toBe(false)
  expect(await passwords.matches(undefined, 'the password of nobody')).toBe(false)
  expect(() => passwords.hash('short')).toThrow(/12 to 256 characters/)
})

test('a long scheme and line breaks take no more than a moment', async () => {
  const authorization = `${'a'.repeat(16_000)}\nb\nc`
  const refuse = () =>
    expect(() => credentialOf({ authorization })).toThrow(/Authorization: expected/)
  expect(await leastProcessorMs(60, refuse)).toBeLessThan(60)
})
