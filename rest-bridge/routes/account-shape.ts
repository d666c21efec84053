import type { GraphQLSchema } from 'graphql'
import { withTimestamps } from '../answers.ts'
import { inputSchema, outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, ref } from '../documents/json-schema.ts'

/** GraphQL fields of accounts, API tokens, entries of the audit log and sessions of browsers. */
export const ACCOUNT = 'id email role active created'
export const API_TOKEN = 'id name scopes created expires lastUsed'
export const AUDIT_ENTRY = 'id at user subject action target requestId address'
export const BROWSER_SESSION = 'id user isCurrent created lastUsed expires ends address browser'

export const accountBody = withTimestamps('created')
export const apiTokenBody = withTimestamps('created', 'expires', 'lastUsed')
export const browserSessionBody = withTimestamps('created', 'lastUsed', 'expires', 'ends')
export const auditEntryBody = withTimestamps('at')

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
