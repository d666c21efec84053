import { AppError } from '../../formats/errors.ts'
import { found, NO_CONTENT, ok } from '../answers.ts'
import { arrayAnswer, arrayPage, type Listed, PAGE, parseCursorPage } from '../cursor-pages.ts'
import { generatedId, inQuery, type Parameter, showing } from '../documents/description.ts'
import { listOf, ref } from '../documents/json-schema.ts'
import { objectOf, parseInstant } from '../parameters.ts'
import { type Route, routesOf } from '../route.ts'
import { API_TOKEN, AUDIT_ENTRY, apiTokenBody, auditEntryBody } from './account-shape.ts'

const route = routesOf('Accounts')

const BODY_LIMIT = 16 * 1024

const TOKENS = `apiTokens { ${API_TOKEN} }`

interface Data {
  account: { apiTokens: object[] } | null
}

/** Whose tokens: one's own, or those of an account that an administrator names. */
interface Owner {
  path: `/account/${string}`
  whose: string
  parameters: readonly Parameter[]
  /** GraphQL that finds them. */
  operation: string
}

const OWNERS: readonly Owner[] = [
  {
    path: '/account/me/token',
    whose: 'own',
    parameters: [],
    operation: `query OwnTokens { viewer { account { ${TOKENS} } } }`,
  },
  {
    path: '/account/:accountId/token',
    whose: 'an account’s',
    parameters: [generatedId('accountId', 'Id of the account')],
    operation: `query TokensOfAccount($id: ID!) { account(id: $id) { ${TOKENS} } }`,
  },
]

const ofOwner = ({ path, whose, parameters, operation }: Owner) => [
  route<Data | { viewer: Data }>({
    method: 'get',
    path,
    summary: `List ${whose} API tokens, without their secrets`,
    parameters,
    operation,
    variables: ({ params }) => (params.accountId === undefined ? {} : { id: params.accountId }),
    respond(data, { params: { accountId } }) {
      const { account } = 'viewer' in data ? data.viewer : data
      if (!account && accountId === undefined)
        throw new AppError('NOT_FOUND', 'You have no account here')
      return ok(found(account, 'account', accountId).apiTokens.map(apiTokenBody))
    },
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'The tokens', schema: listOf(ref('ApiToken')) } },
  }),
  route<{ createApiToken: { token: object; secret: string } }>({
    method: 'post',
    path,
    summary: `Create ${whose} API token; its secret is shown only here`,
    parameters,
    bodyLimit: BODY_LIMIT,
    body: {
      schema: ref('ApiTokenToCreate'),
      example: { name: 'Nightly build', scopes: ['executions:run', 'executions:read'] },
    },
    operation: `mutation CreateApiToken($input: CreateApiTokenInput!) {
      createApiToken(input: $input) { secret token { ${API_TOKEN} } } }`,
    variables({ body, params }) {
      const { accountId: _, ...input } = objectOf(body)
      return { input: { ...input, accountId: params.accountId ?? null } }
    },
    respond: ({ createApiToken: { token, secret } }) => ({
      status: 201,
      body: { secret, token: apiTokenBody(token) },
    }),
    errors: ['NOT_FOUND'],
    answers: { 201: { description: 'The token and its secret', schema: ref('NewApiToken') } },
  }),
]

const revoke = route({
  method: 'delete',
  path: '/token/:tokenId',
  summary: 'Revoke an API token',
  parameters: [generatedId('tokenId', 'Id of the token')],
  operation: 'mutation RevokeApiToken($id: ID!) { revokeApiToken(id: $id) }',
  variables: ({ params }) => ({ id: params.tokenId }),
  respond: () => NO_CONTENT,
  errors: ['NOT_FOUND'],
  answers: { 204: { description: 'It is good for nothing any more' } },
})

const audit = route<{ auditLog: Listed<object> }>({
  method: 'get',
  path: '/audit',
  summary: 'List who changed or ran what, the latest first',
  parameters: [
    showing(inQuery('user', 'Only what this user did.'), 'ann@example.com'),
    showing(inQuery('action', 'Only this mutation of the graph.'), 'deleteSuite'),
    showing(inQuery('target', 'Only what was done to this id.'), 'finance'),
    inQuery('from', 'Not before this time.', { type: 'string' }, '2026-01-01T00:00:00Z'),
    showing(inQuery('to', 'Before this time.'), '2026-02-01T00:00:00Z'),
    ...PAGE.parameters,
  ],
  strictQuery: true,
  operation: `query AuditLog($filter: AuditFilter, ${PAGE.variables}) {
    auditLog(filter: $filter, ${PAGE.arguments}) { nodes { ${AUDIT_ENTRY} } ${PAGE.info} } }`,
  variables(request) {
    const { user, action, target, from, to } = request.query
    const span = { from: parseInstant('from', from), to: parseInstant('to', to) }
    return { filter: { user, action, target, ...span }, ...parseCursorPage(request) }
  },
  respond: ({ auditLog }, request) => arrayAnswer(auditLog, request, auditEntryBody),
  answers: { 200: arrayPage('AuditEntry') },
})

/** API tokens, and the audit log. */
export const tokens: readonly Route[] = [...OWNERS.flatMap(ofOwner), revoke, audit]
