import type { Page } from 'playwright-core'
import { type Assay, startAssay } from '../../_support/assay.ts'
import { eventually } from '../../_support/eventually.ts'
import { useBrowser } from '../_support/browser.ts'
import { ask, execute } from './_support/ask.ts'

/** An execution that is longer than the screen, with the keyboard. */
const ROWS = 200
const STEPS = 8

const open = useBrowser()
let assay: Assay
let id: string
beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
  const { createTestCase } = await ask<{ createTestCase: { id: string } }>(
    assay,
    'mutation Create($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
    {
      input: {
        name: 'Many rows',
        allowExecuteWithoutCredentials: true,
        useCodeCoverage: false,
        scenario: {
          dataset: {
            maxParallel: 16,
            rows: Array.from({ length: ROWS }, (_none, row) => ({ row })),
          },
          steps: Array.from({ length: STEPS }, (_none, i) => ({ id: `s${i}`, wait: { ms: 1 } })),
        },
      },
    },
  )
  id = await execute(assay, createTestCase.id)
})
afterAll(() => assay?.stop())

/** Which line of the tree has the focus and is in sight. */
const focused = (page: Page) =>
  page.evaluate(`(() => {
    const line = document.activeElement
    const tree = line?.closest('.tree')?.getBoundingClientRect()
    const { top, bottom } = line?.getBoundingClientRect() ?? {}
    const isSeen = tree && top >= tree.top - 1 && bottom <= tree.bottom + 1
    return isSeen ? Number(line.closest('[data-index]').dataset.index) : document.activeElement.tagName
  })()`)

test('keys move through a tree that is longer than the screen, and Tab stops at one of its lines', async () => {
  const page = await open(`${assay.url}/executions/${id}`)
  const lines = page.getByRole('treeitem')
  await lines.first().focus()
  const last = ROWS * (STEPS + 1) - 1
  const after = async (key: string, expected: unknown) => {
    await page.keyboard.press(key)
    await eventually(async () => expect(await focused(page)).toEqual(expected))
  }
  await after('End', last)
  await after('ArrowUp', last - 1)
  await after('Home', 0)
  await after('PageDown', expect.any(Number))
  const further = Number(await focused(page))
  expect(further).toBeGreaterThan(4)
  await after('PageDown', 2 * further)
  await after('PageUp', further)
  await after('ArrowDown', further + 1)
  await after('End', last)
  await page.evaluate('document.querySelector(".tree").scrollTo(0, 0)')
  await lines.and(page.locator('[data-index="1"] *')).waitFor()
  await after('ArrowUp', last - 1)

  expect(await page.locator('.tree [tabindex="0"]').count()).toBe(1)
  const line = page.locator(`[data-index="${last - 1}"] .node`)
  expect(await line.getAttribute('aria-level')).toBe('2')
  expect(await line.getAttribute('aria-posinset')).toBe(String(STEPS - 1))
  expect(await line.getAttribute('aria-setsize')).toBe(String(STEPS))
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.closest(".tree")')).toBeNull()
  await after('Shift+Tab', last - 1)
})
