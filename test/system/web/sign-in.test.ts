import type { Page } from 'playwright-core'
import { type Assay, startAssay } from '../../support/assay.ts'
import { useBrowser } from '../../support/system/browser.ts'
import { answer, near, textOf, unfold } from '../../support/system/explorer.ts'
import { clickIfThere } from '../../support/web/acts.ts'
import { ask, CREDENTIALS } from '../../support/web/ask.ts'
import { runUntil, shown } from '../../support/web/graphiql.ts'

const open = useBrowser()
const PASSWORD = 'correct horse battery'
let assay: Assay
beforeAll(async () => {
  assay = await startAssay({
    mode: 'in-process',
    env: { AUTH_MODE: 'users', ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: PASSWORD },
  })
})
afterAll(() => assay.stop())

test('a person signs in, stays signed in after a reload, makes a token that is shown once, and signs out', async () => {
  // The first answers of a page without a session are 401: no faults of it.
  const page = await open(`${assay.url}/healthz`)
  page.removeAllListeners('console')
  page.removeAllListeners('response')
  await page.goto(`${assay.url}/administration?tab=tokens`)
  await page.getByLabel('E-mail').fill('admin@example.com')
  await page.getByLabel('Password').fill('a wrong password')
  await page.keyboard.press('Enter')
  await page.locator('.problem').waitFor()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')

  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('What it is for').fill('Jenkins')
  await page.getByLabel('executions:run').check()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText(/^assay[a-z]*_/).waitFor()
  await page.getByRole('button', { name: 'I have kept it' }).click()

  await page.reload()
  await page.getByRole('cell', { name: 'Jenkins' }).waitFor()
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('assay_')
  expect(await page.evaluate('document.cookie')).toBe('')
  await page.getByRole('tab', { name: 'Sessions' }).click()
  await page.getByRole('cell', { name: /this one/ }).waitFor()
  await page.getByRole('link', { name: 'Executions' }).click()
  await page.getByText('Live', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('E-mail').waitFor()
})

test('a draft is kept when the session ends and its user signs in again', async () => {
  const page = await signedIn()
  await page.goto(`${assay.url}/repository/scenarios/loan-schedule/edit`)
  await page.getByLabel('Name', { exact: true }).fill('A draft of mine')
  page.removeAllListeners('console')
  page.removeAllListeners('response')
  // As if it had ended elsewhere. The check of the draft may find it before Save does.
  await page.evaluate("fetch('/session', { method: 'DELETE' }).then(({ status }) => status)")
  await clickIfThere(page, 'Save')
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
  await page.getByLabel('E-mail').fill('Admin@example.com')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByLabel('Name', { exact: true }).waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('A draft of mine')
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('a refusal that comes after the next sign-in does not ask for another one', async () => {
  const page = await signedIn()
  await page.goto(`${assay.url}/repository/suites/finance/edit`)
  const field = page.getByLabel('Description')
  await field.fill('A draft')
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('mutation UpdateSuite')) return route.continue()
    const response = await route.fetch()
    await isReleased
    await route.fulfill({ response })
  })
  await page.evaluate("fetch('/session', { method: 'DELETE' }).then(({ status }) => status)")
  const asked = page.waitForRequest((request) =>
    Boolean(request.postData()?.includes('mutation UpdateSuite')),
  )
  await clickIfThere(page, 'Save')
  await asked
  await field.fill('A draft of mine') // the check of it finds the end of the session
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
  await page.getByLabel('E-mail').fill('admin@example.com')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await field.waitFor()
  release()
  await page.locator('.toasts .notice.bad').waitFor()
  expect(await page.getByRole('heading', { name: 'Your session has ended' }).count()).toBe(0)
  expect(await field.inputValue()).toBe('A draft of mine')
})

test('an administrator gives a new password, its user changes it, and the account is deleted', async () => {
  const page = await signedIn()
  const answer = (name: string) => page.getByRole('dialog').getByRole('button', { name }).click()
  await page.goto(`${assay.url}/administration?tab=accounts`)
  await page.getByRole('button', { name: 'New account' }).click()
  await page.getByRole('dialog').getByLabel('E-mail').fill('bo@example.com')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  const row = page.getByRole('row', { name: /bo@example.com/ })
  await row.getByRole('button', { name: 'New password' }).click()
  await answer('Give a new password')
  const given = (await page.locator('output.code').textContent()) ?? ''
  await page.getByRole('button', { name: 'I have kept it' }).click()

  const own = await signedIn('bo@example.com', given)
  await own.goto(`${assay.url}/repository/scenarios/loan-schedule`)
  await own.getByRole('heading', { name: 'Executions' }).waitFor()
  // Everything counts as allowed until the rights of the viewer are read.
  await own.getByRole('button', { name: /^Run/ }).first().waitFor({ state: 'detached' })
  await own.getByRole('button', { name: 'Password', exact: true }).click()
  await own.getByLabel('The password so far').fill(given)
  await own.getByLabel(/^The new one/).fill('a quite new password')
  await own.getByRole('button', { name: 'Change', exact: true }).click()
  await own.getByLabel('E-mail').waitFor()
  await signedIn('bo@example.com', 'a quite new password')

  await row.getByRole('button', { name: 'Delete' }).click()
  await answer('Delete')
  await row.waitFor({ state: 'detached' })
})

test('a reader sees no button without effect and no column of such buttons, a page of a change says what it needs, and the next request of a deleted account asks for a sign-in', async () => {
  const [email, password] = ['reader@example.com', 'a reader of everything']
  const created = await asAdmin<{ createAccount: { account: { id: string } } }>(
    'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { account { id } } }',
    { input: { email, password, role: 'READER' } },
  )
  const page = await signedIn(email, password)
  const need = (permission: string) =>
    page.getByText(`Ask an administrator for the permission ${permission}.`).waitFor()
  // Everything counts as allowed until the rights of the viewer are read.
  const none = (role: 'link' | 'button' | 'tab', name: string) =>
    page.getByRole(role, { name }).first().waitFor({ state: 'detached' })

  await page.goto(`${assay.url}/administration`)
  await page.getByRole('button', { name: 'New token' }).waitFor()
  await none('tab', 'Accounts')
  await none('tab', 'Audit log')
  await none('link', 'Callbacks')
  await page.goto(`${assay.url}/administration?tab=accounts`)
  await need('accounts:manage')
  await none('button', 'New account')
  await page.goto(`${assay.url}/callbacks`)
  await need('callbacks:manage')
  for (const path of ['scenarios/loan-schedule/edit', 'suites/finance/edit', 'components/+new']) {
    await page.goto(`${assay.url}/repository/${path}`)
    await need('artifacts:write')
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
  }
  await asAdmin('mutation ($input: ExecuteInput!) { execute(input: $input) { id } }', {
    input: { contextId: 'finance', wait: true, credentials: CREDENTIALS },
  })
  const admin = await signedIn()
  for (const [path, name] of [
    ['repository/scenarios', 'Action'],
    ['repository/suites', 'Action'],
    ['executions', 'Action'],
    ['events', 'Select all that are shown'],
  ] as const) {
    const head = (of: Page) => of.getByRole('columnheader', { name, exact: true })
    for (const each of [admin, page]) {
      await each.goto(`${assay.url}/${path}`)
      await each.getByRole('cell').first().waitFor()
    }
    await head(admin).waitFor()
    await head(page).waitFor({ state: 'detached' })
    expect(await page.getByRole('columnheader').count()).toBe(
      (await admin.getByRole('columnheader').count()) - 1,
    )
  }
  await page.goto(`${assay.url}/repository/components`)
  await page.getByRole('row', { name: /Loan schedule/ }).waitFor()
  await none('link', 'New component')

  const { id } = created.createAccount.account
  await asAdmin('mutation ($id: ID!) { deleteAccount(id: $id) }', { id })
  await page.getByLabel('Name').fill('loan')
  await page.keyboard.press('Enter')
  await page.getByLabel('E-mail').waitFor()
  expect(await page.getByRole('row').count()).toBe(0)
})

test('the page of a suite names who stored each revision', async () => {
  const [email, password] = ['editor@example.com', 'an editor of suites']
  await asAdmin(
    'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { __typename } }',
    {
      input: { email, password, role: 'EDITOR' },
    },
  )
  const suite = { id: 'nightly', name: 'Nightly', testCases: ['loan-schedule'] }
  await asAdmin('mutation ($input: CreateSuiteInput!) { createSuite(input: $input) { id } }', {
    input: suite,
  })
  await ask(
    assay,
    'mutation ($input: UpdateSuiteInput!) { updateSuite(input: $input) { id } }',
    { input: { ...suite, name: 'Nightly tests' } },
    basic(email, password),
  )
  const page = await signedIn()
  await page.goto(`${assay.url}/repository/suites/nightly`)
  const revisions = page.locator('.card', { hasText: 'Revisions' }).getByRole('listitem')
  await revisions.filter({ hasText: 'r2' }).getByText(`by ${email}`).waitFor()
  await revisions.filter({ hasText: 'r1' }).getByText('by admin@example.com').waitFor()
})

async function asAdmin<Data>(query: string, variables: object): Promise<Data> {
  return ask<Data>(assay, query, variables, basic('admin@example.com', PASSWORD))
}

const basic = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})

/** A page whose user has signed in. */
async function signedIn(name = 'admin@example.com', password = PASSWORD): Promise<Page> {
  const page = await open(`${assay.url}/healthz`)
  page.removeAllListeners('console')
  page.removeAllListeners('response')
  await page.goto(`${assay.url}/`)
  await page.getByLabel('E-mail').fill(name)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  return page
}

test('the API explorer uses the session of the form, and the browser asks for no password without it', async () => {
  const page = await signedIn()
  await page.goto(`${assay.url}/api/swagger-ui.html`)
  const send = await unfold(page, 'post', '/v1/events')
  const { status, body } = await answer(send)
  expect({ status, success: JSON.parse(body).result.success }).toEqual({
    status: expect.stringContaining('202'),
    success: 'true',
  })
  expect(await textOf(send.locator('.curl'))).not.toMatch(/authorization/i)
  const listed = await answer(await unfold(page, 'get', '/suite'))
  expect(listed.status).toContain('200')

  await page.context().clearCookies()
  const challenged = page.waitForResponse((response) => response.status() === 401)
  const again = await near(page, 'post', '/v1/events')
  await again.getByRole('button', { name: 'Execute', exact: true }).click()
  expect((await challenged).headers()['www-authenticate']).toMatch(/^Session /)
})

test('GraphiQL uses the session of the form for a subscription, and keeps nothing secret', async () => {
  const page = await signedIn()
  await page.goto(`${assay.url}/graphql`)
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  const title = 'Seen with a session'
  const sent = `fetch('/api/v1/events', { method: 'POST',
    headers: { 'content-type': 'application/json' }, body: '{"title": "${title}"}' })`
  // Each try sends an event: the click before it may have ended the subscription.
  await runUntil(page, async () => {
    expect(await page.evaluate(`${sent}.then(({ status }) => status)`)).toBe(202)
    await shown(page, title)
  })
  const kept = String(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })'))
  for (const secret of [PASSWORD, 'assay_', 'authorization', 'Basic '])
    expect(kept).not.toContain(secret)
})
