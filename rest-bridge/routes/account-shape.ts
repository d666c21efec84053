import type { GraphQLSchema } from 'graphql'
import { timestamp } from '../../schema/timestamp.ts'
import { inputSchema, outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, ref } from '../documents/json-schema.ts'

/** GraphQL fields of accounts, API tokens and entries of the audit log. */
export const ACCOUNT = 'id email role active created'
export const API_TOKEN = 'id name scopes created expires lastUsed'
export const AUDIT_ENTRY = 'id at user action target requestId address'

export const BROWSER_SESSION = 'id user isCurrent created lastUsed expires ends address browser'

export interface BrowserSessionData extends Record<string, unknown> {
  created: string
  lastUsed: string
  expires: string
  ends: string
}

export interface AccountData extends Record<string, unknown> {
  id: string
  created: string
}

export interface ApiTokenData extends Record<string, unknown> {
  id: string
  created: string
  expires: string | null
  lastUsed: string | null
}

export interface AuditEntryData extends Record<string, unknown> {
  at: string
}

export const accountBody = (account: AccountData) => ({
  ...account,
  created: timestamp(account.created),
})

export const apiTokenBody = (token: ApiTokenData) => ({
  ...token,
  created: timestamp(token.created),
  expires: token.expires && timestamp(token.expires),
  lastUsed: token.lastUsed && timestamp(token.lastUsed),
})

export const browserSessionBody = (session: BrowserSessionData) => ({
  ...session,
  created: timestamp(session.created),
  lastUsed: timestamp(session.lastUsed),
  expires: timestamp(session.expires),
  ends: timestamp(session.ends),
})

export const auditEntryBody = (entry: AuditEntryData) => ({ ...entry, at: timestamp(entry.at) })

export const accountSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  Account: outputSchema(graph, 'Account', ACCOUNT),
  NewAccount: outputSchema(graph, 'NewAccount', `password account { ${ACCOUNT} }`, {
    account: ref('Account'),
  }),
  AccountToCreate: inputSchema(graph, 'CreateAccountInput'),
  AccountToChange: inputSchema(graph, 'UpdateAccountInput', { id: null }),
  PasswordToChange: inputSchema(graph, 'ChangePasswordInput'),
  Viewer: outputSchema(graph, 'Viewer', `user permissions account { ${ACCOUNT} }`),
  ApiToken: outputSchema(graph, 'ApiToken', API_TOKEN),
  NewApiToken: outputSchema(graph, 'NewApiToken', `secret token { ${API_TOKEN} }`, {
    token: ref('ApiToken'),
  }),
  ApiTokenToCreate: inputSchema(graph, 'CreateApiTokenInput', {
    accountId: null,
    expires: { type: ['string', 'null'], format: 'date-time' },
  }),
  BrowserSession: outputSchema(graph, 'BrowserSession', BROWSER_SESSION),
  AuditEntry: outputSchema(graph, 'AuditEntry', AUDIT_ENTRY),
})
