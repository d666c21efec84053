import { call } from '../../calls.ts'
import { encoded, execute, PASSWORD, synchronousRun, USER_ID } from '../../executions.ts'
import { inSection } from '../../row.ts'

const todo = 'access control'

export const authentication = inSection('TX', 'Authentication', [
  {
    id: 'TX-132',
    rule: 'Behind a central server the identity and rights MUST be those that this server vouches for, from its addresses only.',
    todo,
  },
  {
    id: 'TX-133',
    rule: 'While users do not sign in, every address MUST be usable without a sign-in.',
    check: async () => {
      const credentials = encoded(USER_ID, PASSWORD)
      const { status, body } = await execute('/execute/loan-schedule', { credentials })
      expect(status).toBe(200)
      expect((await call('GET', `/result/${body.id}`)).status).toBe(200)
    },
  },
  {
    id: 'TX-134',
    rule: 'While users do not sign in, sign-in headers MUST be ignored, malformed ones too.',
    check: async () => {
      const { simple } = await synchronousRun('loan-schedule')
      for (const headers of [
        { authorization: `Basic ${encoded('tom', 'wrong')}` },
        { authorization: 'Basic ***' },
        { authorization: 'Bearer not-a-jwt' },
        { authorization: 'Nonsense' },
        { token: 'not-a-token' },
      ] as Record<string, string>[]) {
        const { status, body } = await call('GET', `/result/${simple.id}`, { headers })
        expect({ status, body }).toEqual({ status: 200, body: simple })
      }
    },
  },
  {
    id: 'TX-135',
    rule: 'Where users sign in, every call MUST bring a known user id and password, else 401.',
    todo,
  },
  {
    id: 'TX-136',
    rule: 'The explorer MUST have an Authorize button for user id and password, and for a token.',
    todo: 'explorer',
  },
  {
    id: 'TX-137',
    rule: 'What needs administration rights MUST be open to users with the admin role only, else 403.',
    todo,
  },
  {
    id: 'TX-138',
    rule: 'POST /authenticate with HTTP Basic MUST answer an object with a token; without Basic 401.',
    todo,
  },
  {
    id: 'TX-139',
    rule: 'A token MUST be accepted in the header token for 60 minutes, and on artifact operations as well.',
    todo,
  },
  {
    id: 'TX-140',
    rule: 'HTTP Basic MUST be accepted on every call in place of a token.',
    todo,
  },
  {
    id: 'TX-141',
    rule: 'Of several sign-ins token MUST win over Bearer and Bearer over Basic; an invalid one is 401 without falling back.',
    todo,
  },
  {
    id: 'TX-142',
    rule: 'connection_init of a GraphQL connection MUST take the same names as the headers.',
    todo,
  },
  {
    id: 'TX-143',
    rule: 'While users do not sign in, /authenticate MUST give any Basic pair a token that is accepted and ignored.',
    todo,
  },
  {
    id: 'TX-144',
    rule: 'Host credentials of an execute call MUST never count as a sign-in.',
    todo,
  },
  {
    id: 'TX-145',
    rule: 'POST /noauth/execute/{id} MUST run without token and credentials what allows it (allowExecuteWithoutCredentials), else 403.',
    todo: 'test execution',
  },
  {
    id: 'TX-146',
    rule: 'A suite MUST be executable without credentials only when all its scenarios allow it; with credentials the permission is not needed.',
    todo: 'test execution',
  },
  {
    id: 'TX-147',
    rule: 'A result that was started without a sign-in MUST be readable by whoever knows its id.',
    todo,
  },
])
