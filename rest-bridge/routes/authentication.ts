import { AppError } from '../../formats/errors.ts'
import { NO_CONTENT, ok } from '../answers.ts'
import { inHeader, inQuery, showing } from '../documents/description.ts'
import { object } from '../documents/json-schema.ts'
import { parseBoolean } from '../parameters.ts'
import { type Route, routesOf } from '../route.ts'

const route = routesOf('Access')

const PATH = '/authenticate'

export const authentication: readonly Route[] = [
  route<{ authenticate: { token: string } }>({
    method: 'post',
    path: PATH,
    summary: 'Get a token for an hour',
    operation: 'mutation Authenticate { authenticate { token } }',
    variables({ headers: { authorization = '' } }) {
      if (!/^basic /i.test(authorization))
        throw new AppError('UNAUTHENTICATED', 'Authorization: expected Basic')
      return {}
    },
    respond: ({ authenticate: { token } }) => ok({ token }),
    answers: {
      200: {
        description: 'What to send in the header `token`; it is good for 60 minutes',
        schema: { ...object({ token: { type: 'string' } }), additionalProperties: false },
      },
    },
  }),
  route<{ signOut: boolean }>({
    method: 'delete',
    path: PATH,
    summary: 'End a token before its time',
    parameters: [
      showing(inHeader('token', 'The token.'), 'as-post-authenticate-gave-it'),
      inQuery('everywhere', 'End all tokens and sessions of the user.', {
        type: 'boolean',
        default: false,
      }),
    ],
    operation: 'mutation SignOut($everywhere: Boolean!) { signOut(everywhere: $everywhere) }',
    variables: ({ query }) => ({ everywhere: parseBoolean('everywhere', query.everywhere) }),
    respond: () => NO_CONTENT,
    answers: { 204: { description: 'It is good for nothing any more' } },
  }),
]
