import { generatedId, inQuery } from '../documents/description.ts'
import { listOf, ref } from '../documents/json-schema.ts'
import { parseWord } from '../parameters.ts'
import { type Route, route } from '../route.ts'
import { BROWSER_SESSION, type BrowserSessionData, browserSessionBody } from './account-shape.ts'

/** Sessions of browsers. A cookie stands for each; `/session` at the root of the server opens it. */
export const sessions: readonly Route[] = [
  route<{ browserSessions: BrowserSessionData[] }>({
    method: 'get',
    path: '/sessions',
    summary: 'List sessions of browsers, the newest first',
    area: 'Accounts',
    parameters: [
      inQuery('everyone', 'Those of all users, for administrators.', {
        type: 'boolean',
        default: false,
      }),
    ],
    strictQuery: true,
    operation: `query BrowserSessions($everyone: Boolean!) {
      browserSessions(everyone: $everyone) { ${BROWSER_SESSION} } }`,
    variables: ({ query }) => ({
      everyone: parseWord('everyone', query.everyone, ['false', 'true']) === 'true',
    }),
    respond: ({ browserSessions }) => ({
      status: 200,
      body: browserSessions.map(browserSessionBody),
    }),
    errors: ['BAD_USER_INPUT', 'OVERLOADED'],
    answers: { 200: { description: 'The sessions', schema: listOf(ref('BrowserSession')) } },
  }),
  route({
    method: 'delete',
    path: '/sessions/:sessionId',
    summary: 'End a session of a browser; its streams end within a minute',
    area: 'Accounts',
    parameters: [generatedId('sessionId', 'Id of the session')],
    operation: 'mutation EndBrowserSession($id: ID!) { endBrowserSession(id: $id) }',
    variables: ({ params }) => ({ id: params.sessionId }),
    respond: () => ({ status: 204, body: undefined }),
    errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'OVERLOADED'],
    answers: { 204: { description: 'It has ended' } },
  }),
]
