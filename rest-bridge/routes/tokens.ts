import { AppError, notFound } from '../../schema/errors.ts'
import {
  arrayAnswer,
  arrayPage,
  CURSOR_PAGE,
  type Listed,
  PAGE_ARGUMENTS,
  PAGE_INFO,
  PAGE_VARIABLES,
  parseCursorPage,
} from '../cursor-pages.ts'
import { generatedId, inQuery, type Parameter, showing } from '../documents/description.ts'
import { listOf, ref } from '../documents/json-schema.ts'
import { objectOf, parseInstant } from '../parameters.ts'
import { BODY_ERRORS, type Route, route } from '../route.ts'
import {
  API_TOKEN,
  type ApiTokenData,
  AUDIT_ENTRY,
  type AuditEntryData,
  apiTokenBody,
  auditEntryBody,
} from './account-shape.ts'

const BODY_LIMIT = 16 * 1024

interface Tokens {
  apiTokens: ApiTokenData[]
}

/** Whose tokens: one's own, or those of an account that an administrator names. */
interface Owner {
  path: `/account/${string}`
  whose: string
  parameters: readonly Parameter[]
  /** GraphQL that selects the account. */
  query: [name: string, start: string, end: string]
  accountOf(data: Record<string, unknown>): Tokens | null
}

const OWNERS: readonly Owner[] = [
  {
    path: '/account/me/token',
    whose: 'own',
    parameters: [],
    query: ['OwnTokens', 'viewer { account', '}'],
    accountOf: (data) => (data.viewer as { account: Tokens | null }).account,
  },
  {
    path: '/account/:accountId/token',
    whose: 'an account’s',
    parameters: [generatedId('accountId', 'Id of the account')],
    query: ['TokensOfAccount($id: ID!)', 'account(id: $id)', ''],
    accountOf: (data) => data.account as Tokens | null,
  },
]

const ofOwner = ({ path, whose, parameters, query: [name, start, end], accountOf }: Owner) => [
  route<Record<string, unknown>>({
    method: 'get',
    path,
    summary: `List ${whose} API tokens, without their secrets`,
    area: 'Accounts',
    parameters,
    operation: `query ${name} { ${start} { apiTokens { ${API_TOKEN} } } ${end} }`,
    variables: ({ params }) => (params.accountId === undefined ? {} : { id: params.accountId }),
    respond(data, { params: { accountId } }) {
      const account = accountOf(data)
      if (!account && accountId !== undefined) throw notFound('account', accountId)
      if (!account) throw new AppError('NOT_FOUND', 'You have no account here')
      return { status: 200, body: account.apiTokens.map(apiTokenBody) }
    },
    errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'OVERLOADED'],
    answers: { 200: { description: 'The tokens', schema: listOf(ref('ApiToken')) } },
  }),
  route<{ createApiToken: { token: ApiTokenData; secret: string } }>({
    method: 'post',
    path,
    summary: `Create ${whose} API token; its secret is shown only here`,
    area: 'Accounts',
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
    errors: [...BODY_ERRORS, 'NOT_FOUND', 'OVERLOADED'],
    answers: { 201: { description: 'The token and its secret', schema: ref('NewApiToken') } },
  }),
]

const revoke = route({
  method: 'delete',
  path: '/token/:tokenId',
  summary: 'Revoke an API token',
  area: 'Accounts',
  parameters: [generatedId('tokenId', 'Id of the token')],
  operation: 'mutation RevokeApiToken($id: ID!) { revokeApiToken(id: $id) }',
  variables: ({ params }) => ({ id: params.tokenId }),
  respond: () => ({ status: 204, body: undefined }),
  errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'OVERLOADED'],
  answers: { 204: { description: 'It is good for nothing any more' } },
})

const audit = route<{ auditLog: Listed<AuditEntryData> }>({
  method: 'get',
  path: '/audit',
  summary: 'List who changed or ran what, the latest first',
  area: 'Accounts',
  parameters: [
    showing(inQuery('user', 'Only what this user did.'), 'ann@example.com'),
    showing(inQuery('action', 'Only this mutation of the graph.'), 'deleteSuite'),
    showing(inQuery('target', 'Only what was done to this id.'), 'finance'),
    inQuery('from', 'Not before this time.', { type: 'string' }, '2026-01-01T00:00:00Z'),
    showing(inQuery('to', 'Before this time.'), '2026-02-01T00:00:00Z'),
    ...CURSOR_PAGE,
  ],
  strictQuery: true,
  operation: `query AuditLog($filter: AuditFilter, ${PAGE_VARIABLES}) {
    auditLog(filter: $filter, ${PAGE_ARGUMENTS}) { nodes { ${AUDIT_ENTRY} } ${PAGE_INFO} } }`,
  variables(request) {
    const { user, action, target, from, to } = request.query
    const span = { from: parseInstant('from', from), to: parseInstant('to', to) }
    return { filter: { user, action, target, ...span }, ...parseCursorPage(request) }
  },
  respond: ({ auditLog }, request) => arrayAnswer(auditLog, request, auditEntryBody),
  errors: ['BAD_USER_INPUT', 'OVERLOADED'],
  answers: { 200: arrayPage(listOf(ref('AuditEntry'))) },
})

/** API tokens, and the audit log. */
export const tokens: readonly Route[] = [...OWNERS.flatMap(ofOwner), revoke, audit]
