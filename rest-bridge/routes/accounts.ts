import { found, NO_CONTENT, ok } from '../answers.ts'
import { arrayAnswer, arrayPage, type Listed, PAGE, parseCursorPage } from '../cursor-pages.ts'
import { generatedId } from '../documents/description.ts'
import { ref } from '../documents/json-schema.ts'
import { objectOf } from '../parameters.ts'
import { type Route, routesOf } from '../route.ts'
import { ACCOUNT, accountBody } from './account-shape.ts'

const route = routesOf('Accounts')

const BODY_LIMIT = 16 * 1024
const ID = generatedId('accountId', 'Id of the account')

/** The caller's own account, and the accounts that administrators keep. */
export const accounts: readonly Route[] = [
  route<{ viewer: { account: object | null } }>({
    method: 'get',
    path: '/account/me',
    summary: 'Read the own name, permissions and account',
    operation: `query Viewer { viewer { user permissions account { ${ACCOUNT} } } }`,
    respond: ({ viewer: { account, ...viewer } }) =>
      ok({ ...viewer, account: account && accountBody(account) }),
    answers: { 200: { description: 'The caller', schema: ref('Viewer') } },
  }),
  route({
    method: 'post',
    path: '/account/me/password',
    summary: 'Change the own password; ends the own sessions',
    bodyLimit: BODY_LIMIT,
    body: {
      schema: ref('PasswordToChange'),
      example: { current: 'the password so far', password: 'another long password' },
    },
    operation: `mutation ChangePassword($input: ChangePasswordInput!) {
      changePassword(input: $input) }`,
    variables: ({ body }) => ({ input: objectOf(body) }),
    respond: () => NO_CONTENT,
    answers: { 204: { description: 'It is changed' } },
  }),
  route<{ accounts: Listed<object> }>({
    method: 'get',
    path: '/account',
    summary: 'List accounts by e-mail',
    parameters: PAGE.parameters,
    strictQuery: true,
    operation: `query Accounts(${PAGE.variables}) {
      accounts(${PAGE.arguments}) { nodes { ${ACCOUNT} } ${PAGE.info} } }`,
    variables: parseCursorPage,
    respond: ({ accounts }, request) => arrayAnswer(accounts, request, accountBody),
    answers: { 200: arrayPage('Account') },
  }),
  route<{ createAccount: { account: { id: string }; password: string | null } }>({
    method: 'post',
    path: '/account',
    summary: 'Create an account',
    bodyLimit: BODY_LIMIT,
    body: { schema: ref('AccountToCreate'), example: { email: 'ann@example.com', role: 'EDITOR' } },
    operation: `mutation CreateAccount($input: CreateAccountInput!) {
      createAccount(input: $input) { password account { ${ACCOUNT} } } }`,
    variables: ({ body }) => ({ input: objectOf(body) }),
    respond: ({ createAccount: { account, password } }, { path }) => ({
      status: 201,
      body: { account: accountBody(account), password },
      headers: { Location: `${path}/${account.id}` },
    }),
    errors: ['CONFLICT'],
    answers: {
      201: {
        description: 'The account; a generated password is shown only here',
        schema: ref('NewAccount'),
        headers: { Location: 'Its address' },
      },
    },
  }),
  route<{ account: object | null }>({
    method: 'get',
    path: '/account/:accountId',
    summary: 'Read an account',
    parameters: [ID],
    operation: `query Account($id: ID!) { account(id: $id) { ${ACCOUNT} } }`,
    variables: ({ params }) => ({ id: params.accountId }),
    respond: ({ account }, { params }) =>
      ok(accountBody(found(account, 'account', params.accountId))),
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'The account', schema: ref('Account') } },
  }),
  route<{ updateAccount: object }>({
    method: 'patch',
    path: '/account/:accountId',
    summary: 'Change role, e-mail or password of an account, or deactivate it; ends its sessions',
    parameters: [ID],
    bodyLimit: BODY_LIMIT,
    body: { schema: ref('AccountToChange'), example: { role: 'READER', active: true } },
    operation: `mutation UpdateAccount($input: UpdateAccountInput!) {
      updateAccount(input: $input) { ${ACCOUNT} } }`,
    variables: ({ body, params }) => ({ input: { ...objectOf(body), id: params.accountId } }),
    respond: ({ updateAccount }) => ok(accountBody(updateAccount)),
    errors: ['NOT_FOUND', 'CONFLICT'],
    answers: { 200: { description: 'The account as it is now', schema: ref('Account') } },
  }),
  route({
    method: 'delete',
    path: '/account/:accountId',
    summary: 'Delete an account with its tokens and sessions',
    parameters: [ID],
    operation: 'mutation DeleteAccount($id: ID!) { deleteAccount(id: $id) }',
    variables: ({ params }) => ({ id: params.accountId }),
    respond: () => NO_CONTENT,
    errors: ['NOT_FOUND', 'CONFLICT'],
    answers: { 204: { description: 'It is deleted' } },
  }),
]
