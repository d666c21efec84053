import { notFound } from '../../schema/errors.ts'
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
import { generatedId } from '../documents/description.ts'
import { listOf, ref } from '../documents/json-schema.ts'
import { objectOf } from '../parameters.ts'
import { BODY_ERRORS, type Route, route } from '../route.ts'
import { ACCOUNT, type AccountData, accountBody } from './account-shape.ts'

const BODY_LIMIT = 16 * 1024
const ID = generatedId('accountId', 'Id of the account')

/** The caller's own account, and the accounts that administrators keep. */
export const accounts: readonly Route[] = [
  route<{ viewer: { account: AccountData | null } }>({
    method: 'get',
    path: '/account/me',
    summary: 'Read the own name, permissions and account',
    area: 'Accounts',
    parameters: [],
    operation: `query Viewer { viewer { user permissions account { ${ACCOUNT} } } }`,
    variables: () => ({}),
    respond: ({ viewer: { account, ...viewer } }) => ({
      status: 200,
      body: { ...viewer, account: account && accountBody(account) },
    }),
    errors: ['OVERLOADED'],
    answers: { 200: { description: 'The caller', schema: ref('Viewer') } },
  }),
  route({
    method: 'post',
    path: '/account/me/password',
    summary: 'Change the own password; ends the own sessions',
    area: 'Accounts',
    parameters: [],
    bodyLimit: BODY_LIMIT,
    body: {
      schema: ref('PasswordToChange'),
      example: { current: 'the password so far', password: 'another long password' },
    },
    operation: `mutation ChangePassword($input: ChangePasswordInput!) {
      changePassword(input: $input) }`,
    variables: ({ body }) => ({ input: objectOf(body) }),
    respond: () => ({ status: 204, body: undefined }),
    errors: [...BODY_ERRORS, 'OVERLOADED'],
    answers: { 204: { description: 'It is changed' } },
  }),
  route<{ accounts: Listed<AccountData> }>({
    method: 'get',
    path: '/account',
    summary: 'List accounts by e-mail',
    area: 'Accounts',
    parameters: CURSOR_PAGE,
    strictQuery: true,
    operation: `query Accounts(${PAGE_VARIABLES}) {
      accounts(${PAGE_ARGUMENTS}) { nodes { ${ACCOUNT} } ${PAGE_INFO} } }`,
    variables: (request) => ({ ...parseCursorPage(request) }),
    respond: ({ accounts }, request) => arrayAnswer(accounts, request, accountBody),
    errors: ['BAD_USER_INPUT', 'OVERLOADED'],
    answers: { 200: arrayPage(listOf(ref('Account'))) },
  }),
  route<{ createAccount: { account: AccountData; password: string | null } }>({
    method: 'post',
    path: '/account',
    summary: 'Create an account',
    area: 'Accounts',
    parameters: [],
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
    errors: [...BODY_ERRORS, 'CONFLICT', 'OVERLOADED'],
    answers: {
      201: {
        description: 'The account; a generated password is shown only here',
        schema: ref('NewAccount'),
        headers: { Location: 'Its address' },
      },
    },
  }),
  route<{ account: AccountData | null }>({
    method: 'get',
    path: '/account/:accountId',
    summary: 'Read an account',
    area: 'Accounts',
    parameters: [ID],
    operation: `query Account($id: ID!) { account(id: $id) { ${ACCOUNT} } }`,
    variables: ({ params }) => ({ id: params.accountId }),
    respond({ account }, { params: { accountId = '' } }) {
      if (!account) throw notFound('account', accountId)
      return { status: 200, body: accountBody(account) }
    },
    errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'OVERLOADED'],
    answers: { 200: { description: 'The account', schema: ref('Account') } },
  }),
  route<{ updateAccount: AccountData }>({
    method: 'patch',
    path: '/account/:accountId',
    summary: 'Change role, e-mail or password of an account, or deactivate it; ends its sessions',
    area: 'Accounts',
    parameters: [ID],
    bodyLimit: BODY_LIMIT,
    body: { schema: ref('AccountToChange'), example: { role: 'READER', active: true } },
    operation: `mutation UpdateAccount($input: UpdateAccountInput!) {
      updateAccount(input: $input) { ${ACCOUNT} } }`,
    variables: ({ body, params }) => ({ input: { ...objectOf(body), id: params.accountId } }),
    respond: ({ updateAccount }) => ({ status: 200, body: accountBody(updateAccount) }),
    errors: [...BODY_ERRORS, 'NOT_FOUND', 'CONFLICT', 'OVERLOADED'],
    answers: { 200: { description: 'The account as it is now', schema: ref('Account') } },
  }),
  route({
    method: 'delete',
    path: '/account/:accountId',
    summary: 'Delete an account with its tokens and sessions',
    area: 'Accounts',
    parameters: [ID],
    operation: 'mutation DeleteAccount($id: ID!) { deleteAccount(id: $id) }',
    variables: ({ params }) => ({ id: params.accountId }),
    respond: () => ({ status: 204, body: undefined }),
    errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'CONFLICT', 'OVERLOADED'],
    answers: { 204: { description: 'It is deleted' } },
  }),
]
