import {
  endedCookies,
  idTokenOf,
  providerCookiesOf,
} from '../../../gateway/sign-in/session-cookie.ts'

const OPENED = {
  secret: 'a-secret',
  created: '2030-01-01T00:00:00.000Z',
  ends: '2030-01-01T00:30:00.000Z',
}

test('the ID token is kept beside the session, for as long, out of reach of scripts and of other paths', () => {
  expect(providerCookiesOf(OPENED, 'h.p.s', true)).toEqual([
    'assay_session=a-secret; Path=/; Max-Age=1800; HttpOnly; SameSite=Strict; Secure',
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
