import { ADMIN, ADMIN_PASSWORD, basic } from '../../../e2e/_support/users.ts'
import { withUsers } from '../../configured.ts'
import { inSection } from '../../row.ts'

export const server = inSection('TX', 'Authentication', [
  {
    id: 'TX-270',
    rule: 'Version and kind of sign-in MUST be readable before the sign-in, workers with executions:read, and settings by administrators alone and without secrets.',
    check: async () => {
      const users = await withUsers()
      const { headers } = await users.account('tx-270@example.com', 'READER')
      const known = { version: expect.any(String), authMode: 'USERS' }
      expect(await users.rest('GET', '/server')).toMatchObject({ status: 200, body: known })
      for (const path of ['/server/workers', '/server/settings'])
        expect((await users.rest('GET', path)).status).toBe(401)
      expect((await users.rest('GET', '/server/settings', headers)).status).toBe(403)
      expect((await users.rest('GET', '/server/workers', headers)).body).toEqual([
        expect.objectContaining({ slots: 4, used: expect.any(Number) }),
      ])
      const settings = await users.rest('GET', '/server/settings', basic(ADMIN, ADMIN_PASSWORD))
      const named = (name: string) =>
        settings.body.find((setting: { name: string }) => setting.name === name)
      expect(named('AUTH_MODE')).toMatchObject({ value: 'users', isChanged: true })
      expect(named('ADMIN_PASSWORD')).toMatchObject({ value: null, isSecret: true })
      expect(named('PAGE_BYTES')).toMatchObject({ tier: 'LIMITS', isChanged: false })
      expect(JSON.stringify(settings.body)).not.toContain(ADMIN_PASSWORD)
    },
  },
])
