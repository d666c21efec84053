import type { Page } from 'playwright-core'
import { type Assay, startAssay } from '../../support/assay.ts'
import { eventually } from '../../support/eventually.ts'
import { useBrowser } from '../../support/system/browser.ts'
import { answer, scrollOn, textOf, unfold } from '../../support/system/explorer.ts'

const open = useBrowser()

let assay: Assay | undefined

beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
})

afterAll(() => assay?.stop())

/** The explorer over one of its two documents. */
async function explorer(document: 'OpenAPI 3.1' | 'Swagger 2.0'): Promise<Page> {
  const page = await open(`${assay?.url}/api/swagger-ui.html`)
  // The first document, on its way, would replace one that is chosen meanwhile.
  await page.getByText('OAS 3.1').waitFor()
  if (document === 'OpenAPI 3.1') return page
  await page.locator('#select').selectOption({ label: document })
  await page.getByText('OAS 2.0').waitFor()
  return page
}

/** Gives user id and password, and a token, to all operations. */
async function authorize(page: Page): Promise<void> {
  await page.locator('.auth-wrapper > .authorize').click()
  const forms = page.locator('.dialog-ux form')
  const basic = forms.filter({ hasText: 'Username' })
  await basic.getByLabel('Username').fill('ci')
  await basic.getByLabel('Password').fill('secret')
  await basic.getByRole('button', { name: 'Apply credentials' }).click()
  const token = forms.filter({ hasText: 'apiKey' })
  await token.getByLabel('Value:').fill('a-token')
  await token.getByRole('button', { name: 'Apply credentials' }).click()
  await page.locator('.dialog-ux .close-modal').click()
}

test.each(['OpenAPI 3.1', 'Swagger 2.0'] as const)(
  'over %s a scenario is executed and its verdict read, an event posted and read back',
  async (document) => {
    const page = await explorer(document)
    await authorize(page)
    const execute = await unfold(page, 'post', '/testcase/{id}/execute')
    await eventually(async () =>
      expect(await execute.locator('.parameter__name.required').allInnerTexts()).toEqual([
        expect.stringContaining('id'),
        expect.stringContaining('credentials'),
      ]),
    )
    const executed = await answer(execute)
    expect(executed.status).toContain('200')
    expect(JSON.parse(executed.body)).toMatchObject({
      contextId: 'loan-schedule',
      state: 'COMPLETED',
      executedBy: 'ci',
    })
    const sent = await textOf(execute.locator('.curl'))
    expect(sent).toContain('Basic')
    expect(sent).toContain('a-token')

    const created = await answer(await unfold(page, 'post', '/suite'))
    expect(created.status).toContain('201')
    await fetch(`${assay?.url}/api/suite/${JSON.parse(created.body).id}`, { method: 'DELETE' })

    const posted = await answer(await unfold(page, 'post', '/v1/events'))
    expect(posted.status).toContain('202')
    const [{ id }] = JSON.parse(posted.body).result.accepted
    const read = await unfold(page, 'get', '/v1/events/{id}')
    await read.getByPlaceholder('id').fill(id)
    const { status, body } = await answer(read)
    expect(status).toContain('200')
    expect(JSON.parse(body)).toMatchObject({ id, title: 'Disk almost full' })
  },
)

test('operations are grouped by area, and each area is explained', async () => {
  const page = await explorer('OpenAPI 3.1')
  const response = await fetch(`${assay?.url}/api/v3/api-docs`)
  const { tags } = (await response.json()) as { tags: { name: string; description: string }[] }
  const shown = new Map<string, string>()
  await eventually(async () => {
    // Titles that were not drawn in time on the way down are found on the next one.
    if (Number(await page.evaluate('scrollY')) === 0) shown.clear()
    for (const text of await page.locator('.opblock-tag').allInnerTexts())
      shown.set(text.split('\n')[0] ?? '', text)
    await scrollOn(page)
    expect([...shown.keys()]).toEqual(tags.map(({ name }) => name))
  })
  for (const { name, description } of tags)
    expect(shown.get(name)).toContain(description.replaceAll('`', ''))
})
