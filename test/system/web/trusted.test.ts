import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Assay, startAssay } from '../../support/assay.ts'
import { newRepository } from '../../support/system/assay-command.ts'
import { useBrowser } from '../../support/system/browser.ts'

/** Fails on an answer of 400 or more: a document that is not trusted gets 403. */
const open = useBrowser()
let folder: string
let assay: Assay
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-trusted-'))
  const manifest = join(folder, 'documents.json')
  await writeFile(manifest, '{"one": "{ __typename }"}')
  assay = await startAssay({
    mode: 'in-process',
    env: { TRUSTED_DOCUMENTS: manifest, TRUSTED_DOCUMENTS_ONLY: 'true' },
  })
})
afterAll(async () => {
  await assay?.stop()
  await rm(folder, { recursive: true, force: true })
})

const PAGES = {
  '/executions': 'Executions',
  '/events': 'Events',
  '/trends': 'Trends',
  '/repository/scenarios': 'Scenarios',
  '/repository/components': 'Components',
  '/callbacks': 'Callbacks',
  '/administration': 'Administration',
  '/configuration/settings': 'Settings and limits',
}

test('where only trusted documents run, the web client works and other documents are refused', async () => {
  const page = await open(`${assay.url}/repository/suites/finance`)
  await page.getByRole('button', { name: /^Run/ }).first().click()
  // The stream of the execution follows it to its end.
  await page.getByText('Failed').first().waitFor()
  for (const [path, title] of Object.entries(PAGES)) {
    await page.goto(assay.url + path)
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.locator('.problem').count()).toBe(0)
  }
  const other = await fetch(`${assay.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query": "{ suites { totalCount } }"}',
  })
  expect(await other.json()).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
})

test('the command works there, too', async () => {
  const repository = await newRepository(assay, { ASSAY_CREDENTIALS: 'ci:secret' })
  const run = await repository.assay(['run', 'loan-schedule', '--follow'])
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('COMPLETED') })
  // It ends as its query is wrong, and not before.
  const tail = await repository.assay(['events', 'tail', '-q', 'nothing:1'])
  expect(tail.stderr).toContain('BAD_USER_INPUT')
  repository.remove()
})
