import { NO_CONTENT, ok } from '../answers.ts'
import { generatedId, inQuery } from '../documents/description.ts'
import { listOf, ref } from '../documents/json-schema.ts'
import { parseWord } from '../parameters.ts'
import { type Route, routesOf } from '../route.ts'
import { BROWSER_SESSION, browserSessionBody } from './account-shape.ts'

const route = routesOf('Accounts')

/** Sessions of browsers. A cookie stands for each; `/session` at the root of the server opens it. */
export const sessions: readonly Route[] = [
  route<{ browserSessions: object[] }>({
    method: 'get',
    path: '/sessions',
    summary: 'List sessions of browsers, the newest first',
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
    respond: ({ browserSessions }) => ok(browserSessions.map(browserSessionBody)),
    answers: { 200: { description: 'The sessions', schema: listOf(ref('BrowserSession')) } },
  }),
  route({
    method: 'delete',
    path: '/sessions/:sessionId',
    summary: 'End a session of a browser; its streams end within a minute',
    parameters: [generatedId('sessionId', 'Id of the session')],
    operation: 'mutation EndBrowserSession($id: ID!) { endBrowserSession(id: $id) }',
    variables: ({ params }) => ({ id: params.sessionId }),
    respond: () => NO_CONTENT,
    errors: ['NOT_FOUND'],
    answers: { 204: { description: 'It has ended' } },
  }),
]
