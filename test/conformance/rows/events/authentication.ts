import { ADMIN, ADMIN_PASSWORD, basic } from '../../../support/e2e/users.ts'
import { withUsers } from '../../configured.ts'
import { post, rawEvent } from '../../events.ts'
import { inSection } from '../../row.ts'

const PATH = '/v1/events'
const refused = () => ({
  result: { sent: 0, success: 'false', errors: [{ index: 0, message: expect.any(String) }] },
})

export const authentication = inSection('EV', 'Authentication', [
  {
    id: 'EV-79',
    rule: 'HTTP Basic MUST be accepted as e-mail and token, as token only with the colon before it, and as token only with the colon behind it.',
    check: async () => {
      for (const pair of ['ops@example.com:t0ken', ':t0ken', 't0ken:'])
        expect(await post(rawEvent(), { authorization: `Basic ${btoa(pair)}` })).toMatchObject({
          status: 202,
        })
    },
  },
  {
    id: 'EV-80',
    rule: 'Where users sign in, the user name MUST be the e-mail address of an account and the password one of its API tokens.',
    check: async () => {
      const users = await withUsers()
      const { secret } = await users.token(basic(ADMIN, ADMIN_PASSWORD), ['events:write'])
      const statusFor = async (user: string, password: string) =>
        (await users.rest('POST', PATH, basic(user, password), rawEvent())).status
      expect(await statusFor(ADMIN, secret)).toBe(202)
      expect(await statusFor('', secret)).toBe(202)
      expect(await statusFor(secret, '')).toBe(202)
      expect(await statusFor('another-user@example.com', secret)).toBe(401)
    },
  },
  {
    id: 'EV-81',
    rule: 'Where users sign in, missing or wrong credentials MUST be answered with 401, WWW-Authenticate: Basic and a body in the ingestion shape.',
    check: async () => {
      const users = await withUsers()
      for (const headers of [{}, basic('', 'assay_wrong'), basic(ADMIN, 'assay_wrong')]) {
        const answer = await users.rest('POST', PATH, headers as Record<string, string>, rawEvent())
        expect(answer.status).toBe(401)
        expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
        expect(answer.body).toEqual(refused())
      }
    },
  },
  {
    id: 'EV-82',
    rule: 'A token without the right to write events MUST be answered with 403 in the ingestion shape.',
    check: async () => {
      const users = await withUsers()
      const { secret } = await users.token(basic(ADMIN, ADMIN_PASSWORD), ['events:read'])
      const answer = await users.rest('POST', PATH, basic('', secret), rawEvent())
      expect(answer.status).toBe(403)
      expect(answer.body).toEqual(refused())
    },
  },
])
