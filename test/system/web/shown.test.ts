import type { Locator } from 'playwright-core'
import { type Assay, startAssay } from '../../support/assay.ts'
import { useBrowser } from '../../support/system/browser.ts'
import { ask, execute } from '../../support/web/ask.ts'

const open = useBrowser()
let assay: Assay
beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
})
afterAll(() => assay.stop())

test('a page on a slow line shows its frame before its scripts are there', async () => {
  const page = await open(`${assay.url}/healthz`)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${assay.url}/executions`, { waitUntil: 'commit' })
  await page.locator('.shell[aria-busy] .side').getByText('Assay').waitFor()
  expect(await page.locator('.unloaded').isVisible()).toBe(false)
  release()
  await page.getByRole('heading', { level: 1, name: 'Executions' }).waitFor()
  await page.locator('.shell[aria-busy]').waitFor({ state: 'detached' })
})

test.each([
  [1440, 900],
  [1280, 720],
])(
  'the editor of a component leaves its revisions to be seen at %i × %i',
  async (width, height) => {
    const components = '{ component(id: "tax-table") { name language sourceCode revision } }'
    const { component } = await ask<{ component: Record<string, unknown> }>(assay, components)
    const { revision, ...given } = component
    await ask(
      assay,
      'mutation ($input: UpdateComponentInput!) { updateComponent(input: $input) { id } }',
      { input: { ...given, id: 'tax-table', sourceCode: `${given.sourceCode}// ${width}\n` } },
    )
    const page = await open(`${assay.url}/repository/components/tax-table`)
    await page.setViewportSize({ width, height })
    const revisions = page.getByRole('heading', { name: 'Revisions' })
    await page.locator('.editor').waitFor()
    await revisions.waitFor()
    const [editor, card] = [await boxOf(page.locator('.editor')), await boxOf(revisions)]
    const isApart = editor.y + editor.height <= card.y || editor.x + editor.width <= card.x
    expect({ isApart, revision }).toEqual({ isApart: true, revision: expect.any(Number) })
    await revisions.scrollIntoViewIfNeeded()
    await revisions.click() // nothing lies over it
  },
)

async function boxOf(shown: Locator) {
  const box = await shown.boundingBox()
  if (!box) throw new Error('It is not shown')
  return box
}

test('trends of what does not exist say so and offer no run', async () => {
  const page = await open(`${assay.url}/trends?context=nosuch`)
  await page.getByText('There is no such scenario or suite').waitFor()
  expect(await page.getByRole('button', { name: /^Run/ }).count()).toBe(0)
})

test('facts of an execution are names with ids as titles', async () => {
  const shop = { id: '01a2201f-0000-7000-8000-000000000000', name: 'Shop of tests' }
  const create = (kind: string) =>
    `mutation ($input: Create${kind}Input!) { create${kind}(input: $input) { id } }`
  await ask(assay, create('Environment'), { input: shop })
  const scenario = { steps: [{ id: 'a', wait: { ms: 1 } }] }
  const input = { ...{ id: 'named', name: 'A named one', environment: shop.id, scenario } }
  await ask(assay, create('TestCase'), {
    input: { ...input, allowExecuteWithoutCredentials: true },
  })
  const page = await open(`${assay.url}/executions/${await execute(assay, 'named')}`)
  const facts = page.locator('.facts').first()
  await facts.getByRole('link', { name: shop.name }).waitFor()
  expect(await facts.getByTitle(shop.id).count()).toBe(1)
  expect(await facts.textContent()).not.toContain(shop.id)
})

test('entries of the audit log lead to what was changed and are filtered by action and target', async () => {
  const suite = { id: 'audited', name: 'Audited', testCases: ['tax-table'] }
  const create = 'mutation ($input: CreateSuiteInput!) { createSuite(input: $input) { id } }'
  await ask(assay, create, { input: suite })
  const update = 'mutation ($input: UpdateSuiteInput!) { updateSuite(input: $input) { id } }'
  await ask(assay, update, { input: { ...suite, name: 'Audited again' } })
  const page = await open(`${assay.url}/repository/suites/audited`)
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.waitForURL(/target=audited/)
  await page.getByLabel('Action, such as updateSuite').fill('deleteSuite')
  await page.keyboard.press('Enter')
  await page.getByText('No entry').waitFor()
  await page.getByLabel('Action, such as updateSuite').fill('createSuite')
  await page.keyboard.press('Enter')
  await page.getByRole('table').getByRole('link', { name: 'audited' }).click()
  await page.getByRole('heading', { level: 1, name: 'Audited again' }).waitFor()
})
