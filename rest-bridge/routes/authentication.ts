import { AppError } from '../../schema/errors.ts'
import { inHeader } from '../documents/description.ts'
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
    parameters: [inHeader('token', 'The token.')],
    operation: 'mutation SignOut { signOut }',
    variables: () => ({}),
    respond: () => ({ status: 204, body: undefined }),
    errors: ['OVERLOADED'],
    answers: { 204: { description: 'It is good for nothing any more' } },
  }),
]
