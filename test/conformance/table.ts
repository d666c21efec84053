import { readFile, writeFile } from 'node:fs/promises'
import type { Row } from './row.ts'
import { ROWS } from './rows/all.ts'
import { CONTRACTS, type ContractId, SECTIONS } from './sections.ts'

/** README of the repository, which holds the table between two markers. */
export const README = new URL('../../README.md', import.meta.url)

const START = '<!-- conformance:start -->'
const END = '<!-- conformance:end -->'

/** The conformance table in Markdown: a line per section, and every row behind a fold. */
export function conformanceTable(rows: readonly Row[] = ROWS): string {
  return [
    `${rows.length} rules, each checked against the running product.`,
    summary(rows),
    ...(Object.keys(CONTRACTS) as ContractId[]).map((contract) => allRows(contract, rows)),
  ].join('\n\n')
}

/** The text with the present table between its markers. Throws when the markers are missing. */
export function withTable(text: string, table = conformanceTable()): string {
  const start = text.indexOf(START)
  const end = text.indexOf(END)
  if (start < 0 || end < start) throw new Error(`README.md needs ${START} and, below it, ${END}`)
  return `${text.slice(0, start + START.length)}\n${table}\n${text.slice(end)}`
}

function summary(rows: readonly Row[]): string {
  const lines = SECTIONS.map(({ contract, section }) => {
    const own = rows.filter((row) => row.contract === contract && row.section === section)
    const ids = [...new Set([own[0]?.id, own.at(-1)?.id])].join(' … ')
    return line(CONTRACTS[contract].title, section, ids, own.length)
  })
  return [line('Contract', 'Section', 'Rows', 'Rules'), '|---|---|---|--:|', ...lines].join('\n')
}

function allRows(contract: ContractId, rows: readonly Row[]): string {
  const own = rows.filter((row) => row.contract === contract)
  return [
    `<details><summary>${CONTRACTS[contract].title}: all ${own.length} rules</summary>`,
    '',
    line('Id', 'Section', 'Rule'),
    '|---|---|---|',
    ...own.map(({ id, section, rule }) => line(id, section, rule)),
    '',
    '</details>',
  ].join('\n')
}

/** One line of a Markdown table; what Markdown or HTML would read as markup stays text. */
const line = (...cells: (string | number)[]) =>
  `| ${cells
    .map((cell) =>
      String(cell)
        .replace(/[|*_\\]/g, '\\$&')
        .replaceAll('<', '&lt;'),
    )
    .join(' | ')} |`

if (import.meta.main) {
  const text = await readFile(README, 'utf8')
  const current = withTable(text)
  if (!process.argv.includes('--check')) await writeFile(README, current)
  else if (text !== current) throw new Error('README.md is out of date: npm run conformance-table')
}
