import { AppError } from '../../schema/errors.ts'
import { inHeader, inQuery, showing } from '../documents/description.ts'
import { parseBoolean } from '../parameters.ts'
import { type Route, route } from '../route.ts'

const PATH = '/authenticate'

export const authentication: readonly Route[] = [
  route<{ authenticate: { token: string } }>({
    method: 'post',
    path: PATH,
    summary: 'Get a token for an hour',
    area: 'Access',
    parameters: [],
    operation: 'mutation Authenticate { authenticate { token } }',
    variables({ headers: { authorization = '' } }) {
      if (!/^basic /i.test(authorization))
        throw new AppError('UNAUTHENTICATED', 'Authorization: expected Basic')
      return {}
    },
    respond: ({ authenticate: { token } }) => ({ status: 200, body: { token } }),
    errors: ['OVERLOADED'],
    answers: {
      200: {
        description: 'What to send in the header `token`; it is good for 60 minutes',
        schema: {
          type: 'object',
          properties: { token: { type: 'string' } },
          required: ['token'],
          additionalProperties: false,
        },
      },
    },
  }),
  route<{ signOut: boolean }>({
    method: 'delete',
    path: PATH,
    summary: 'End a token before its time',
    area: 'Access',
    parameters: [
      showing(inHeader('token', 'The token.'), 'as-post-authenticate-gave-it'),
      inQuery('everywhere', 'End all tokens and sessions of the user.', {
        type: 'boolean',
        default: false,
      }),
    ],
    operation: 'mutation SignOut($everywhere: Boolean!) { signOut(everywhere: $everywhere) }',
    variables: ({ query }) => ({ everywhere: parseBoolean('everywhere', query.everywhere) }),
    respond: () => ({ status: 204, body: undefined }),
    errors: ['BAD_USER_INPUT', 'OVERLOADED'],
    answers: { 204: { description: 'It is good for nothing any more' } },
  }),
]
