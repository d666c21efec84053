import type { Page } from 'playwright-core'
import { type Assay, startAssay } from '../../support/assay.ts'
import { eventually } from '../../support/eventually.ts'
import { useBrowser } from '../../support/system/browser.ts'
import { ask, execute } from '../../support/web/ask.ts'

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

/** Line of the tree that has the focus and is in sight. */
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
  await page.waitForLoadState('networkidle') // what else arrives changes the room for lines, and so what a page is
  const last = ROWS * (STEPS + 1) - 1
  const after = async (key: string, expected: unknown) => {
    await page.keyboard.press(key)
    await eventually(async () => expect(await focused(page)).toEqual(expected))
  }
  await after('End', last)
  await after('ArrowUp', last - 1)
  await after('Home', 0)
  await page.keyboard.press('PageDown')
  const further = await eventually(async () => {
    const line = Number(await focused(page))
    expect(line).toBeGreaterThan(4)
    return line
  })
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

/** Lines of the log that are in sight, as the browser has them. */
const seen = async (page: Page): Promise<string[]> => {
  const texts = await page.evaluate(`(() => {
    const log = document.querySelector('.log').getBoundingClientRect()
    return [...document.querySelectorAll('.log .text')]
      .filter((line) => {
        const { top, bottom } = line.getBoundingClientRect()
        return top >= log.top - 1 && bottom <= log.bottom + 1
      })
      .map((line) => line.textContent.split(' ').filter(Boolean).join(' '))
  })()`)
  return texts as string[] // text of each
}

test('the end of a long log is one key or click away, and it is read backwards from there', async () => {
  const { executionResult } = await ask<{ executionResult: { log: string } }>(
    assay,
    'query Log($id: ID!) { executionResult(id: $id) { log } }',
    { id },
  )
  const lines = executionResult.log
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' ').slice(2).filter(Boolean).join(' '))
  expect(lines.length).toBeGreaterThan(3 * 500)
  const isSeen = (at: number) =>
    eventually(async () => expect(await seen(page)).toContain(lines.at(at)))
  const page = await open(`${assay.url}/executions/${id}?tab=log`)
  const reads: string[] = []
  page.on('request', (request) => {
    const operation = /query (ExecutionLog\w*)/.exec(request.postData() ?? '')?.[1]
    if (operation) reads.push(operation)
  })
  await isSeen(0)
  const log = page.getByRole('group', { name: 'Log' })
  await log.focus()
  await page.keyboard.press('End')
  await isSeen(-1)
  await page.keyboard.press('Home')
  await isSeen(0)

  // Lines are higher than estimated where they do not fit.
  await page.setViewportSize({ width: 400, height: 800 })
  await page.reload()
  await isSeen(0)
  reads.length = 0
  await page.getByRole('button', { name: 'Go to the end' }).click()
  await isSeen(-1)
  expect(reads).toEqual(['ExecutionLogEnd'])
  // Lines in sight are those of the log on the way up.
  const wrong: string[] = []
  const whole = lines.join('\n')
  await eventually(async () => {
    const texts = await seen(page)
    if (!whole.includes(texts.join('\n'))) wrong.push(texts.join('\n'))
    await page.keyboard.press('PageUp')
    expect(reads.length).toBeGreaterThan(2)
  })
  expect(wrong).toEqual([])
  expect(new Set(reads)).toEqual(new Set(['ExecutionLogEnd']))
  await page.keyboard.press('Home')
  await isSeen(0)
  await eventually(async () => {
    // The browser scrolls to the end as it was estimated when the key was pressed.
    await page.keyboard.press('End')
    expect(await seen(page)).toContain(lines.at(-1))
  })
})
