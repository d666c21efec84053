import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, dirname, extname } from 'node:path'
import { type Command, listOf, textOf } from '../command.ts'
import { EXIT, usageError } from '../exit-codes.ts'
import { readCucumber } from '../import/cucumber.ts'
import { withFiles } from '../import/files.ts'
import { readJunit } from '../import/junit.ts'
import { readPlaywright } from '../import/playwright.ts'
import type { Scenario } from '../import/scenario.ts'
import { readXa } from '../import/xa.ts'
import { type Result, verdictLine } from '../run/result.ts'

const READERS: Readonly<Record<string, (text: string) => Scenario[]>> = {
  junit: readJunit,
  xa: readXa,
  cucumber: readCucumber,
  playwright: readPlaywright,
}

export const importResults: Command = {
  name: 'import',
  args: '<junit | xa | cucumber | playwright> <file>',
  count: [2, 2],
  does: 'store the results of tests that ran elsewhere as an execution',
  details: [
    'Cucumber and Playwright write JSON. Files that a report names are read beside it and',
    'attached. The exit code says whether the results were stored, not what they are.',
  ],
  options: {
    name: { value: 'TEXT', does: 'name of the execution; that of the file if absent' },
    label: { value: 'NAME=VALUE', multiple: true, does: 'mark to find the execution by' },
  },
  async run({ args: [format = '', file = ''], client, options, terminal }) {
    const read = READERS[format]
    if (!read)
      throw usageError(`There is no format ${format}: expected ${Object.keys(READERS).join(', ')}`)
    const text = await readFile(file, 'utf8').catch((error: Error) => {
      throw usageError(error.message)
    })
    let scenarios: Scenario[]
    try {
      scenarios = read(text.replace(/^\uFEFF/, ''))
    } catch (error) {
      throw usageError(`${file} is no ${format}: ${error instanceof Error ? error.message : error}`)
    }
    if (scenarios.length === 0) throw usageError(`There is no test in ${file}`)
    const { attached, missing } = await withFiles(scenarios, dirname(file))
    for (const name of missing) terminal.note(`${name} cannot be read, and is not attached`)
    const body = {
      name: textOf(options, 'name') ?? basename(file, extname(file)),
      scenarios: attached,
    }
    const result = await client.rest<Result>('POST', '/executions/import', {
      body,
      query: { label: listOf(options, 'label') },
      headers: { 'idempotency-key': randomUUID() },
      isRepeatable: true,
    })
    terminal.json(result)
    terminal.line(verdictLine(result, terminal))
    return EXIT.ok
  },
}
