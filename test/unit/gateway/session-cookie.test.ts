import {
  allSecretsOf,
  endedCookies,
  idTokenOf,
  pendingCookies,
  pendingTextOf,
  providerCookiesOf,
  sessionSecretOf,
} from '../../../gateway/sign-in/session-cookie.ts'

const OPENED = {
  secret: 'a-secret',
  created: '2030-01-01T00:00:00.000Z',
  ends: '2030-01-01T00:30:00.000Z',
}

test('the ID token is kept beside the session, for as long, out of reach of scripts and of other paths', () => {
  expect(providerCookiesOf(OPENED, 'h.p.s', true)).toEqual([
    '__Host-assay_session=a-secret; Path=/; Max-Age=1800; HttpOnly; SameSite=Strict; Secure',
    'assay_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    'assay_id_token=h.p.s; Path=/session; Max-Age=1800; HttpOnly; SameSite=Strict; Secure',
  ])
  expect(idTokenOf({ cookie: 'assay_session=a-secret; assay_id_token=h.p.s' })).toBe('h.p.s')
})

test.each([undefined, 'x'.repeat(3_801)])(
  'without an ID token that a cookie holds, that of an earlier sign-in goes',
  (idToken) => {
    const [, cookie] = providerCookiesOf(OPENED, idToken, false)
    expect(cookie).toBe('assay_id_token=; Path=/session; Max-Age=0; HttpOnly; SameSite=Strict')
  },
)

test('both cookies go with the session', () => {
  for (const cookie of endedCookies(false)) expect(cookie).toMatch(/^assay_\w+=; .*Max-Age=0/)
})

test('over TLS the former name of the cookie goes with the session, too', () => {
  const names = endedCookies(true).map((each) => each.split('=', 1)[0])
  expect(names).toEqual(['assay_session', '__Host-assay_session', 'assay_id_token'])
})

test.each<[string, string, string | null]>([
  ['the one that no other host can set', '__Host-assay_session=own', 'own'],
  ['that of the version before', 'a=b; assay_session=own', 'own'],
  ['no other beside it', 'assay_session=other; __Host-assay_session=own', 'own'],
  [
    'no plain one beside two that no other host should set',
    '__Host-assay_session=own; __Host-assay_session=x; assay_session=other',
    null,
  ],
  ['no plain one beside an empty one', '__Host-assay_session=; assay_session=other', null],
  ['no name behind other white space', '\u00a0__Host-assay_session=x; a=b', null],
  ['none of two of one name', 'assay_session=other; assay_session=own', null],
  ['none of two equal ones', 'assay_session=own;assay_session=own', null],
  ['no value that is empty', 'assay_session=', null],
])('the cookie of a session: %s', (_, cookie, secret) => {
  expect(sessionSecretOf({ cookie })).toBe(secret)
})

test('sessions of both names end with a sign-in or a sign-out', () => {
  expect(allSecretsOf({ cookie: '__Host-assay_session=own; assay_session=former' })).toEqual([
    'own',
    'former',
  ])
  expect(allSecretsOf({ cookie: 'assay_session=one; assay_session=two' })).toEqual([])
})

test('each sign-in that goes on has a cookie of its own, and the oldest of five goes for the next', () => {
  const cookie = [1, 2, 3, 4, 5].map((each) => `__Host-assay_sign_in_s${each}=k${each}`).join('; ')
  expect(pendingTextOf({ cookie }, 's2', true)).toBe('k2')
  expect(pendingTextOf({ cookie }, 's', true)).toBeNull()
  expect(pendingTextOf({ cookie: 'assay_sign_in_s=tossed' }, 's', true)).toBeNull()
  expect(pendingCookies({ cookie }, { state: 's6', kept: 'k6' }, true)).toEqual([
    '__Host-assay_sign_in_s1=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    '__Host-assay_sign_in_s6=k6; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure',
  ])
})
