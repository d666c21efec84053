import { post, rawEvent } from '../../events.ts'
import { inSection } from '../../row.ts'

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
    todo: 'access control',
  },
  {
    id: 'EV-81',
    rule: 'Where users sign in, missing or wrong credentials MUST be answered with 401, WWW-Authenticate: Basic and a body in the ingestion shape.',
    todo: 'access control',
  },
  {
    id: 'EV-82',
    rule: 'A token without the right to write events MUST be answered with 403 in the ingestion shape.',
    todo: 'access control',
  },
])
