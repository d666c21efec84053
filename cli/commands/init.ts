import { join } from 'node:path'
import type { Command } from '../command.ts'
import { SCHEMA_PATH } from '../folder/schema-path.ts'
import { writeFiles } from '../folder/write-files.ts'
import { PROGRAM } from '../program.ts'

const filesOf = (schema: string): Readonly<Record<string, string>> => {
  const head = `# yaml-language-server: $schema=${schema}\n`
  return {
    'price.component.yaml': `${head}kind: component
name: Price
source: ./price.ts
`,
    'price.ts': `/** The gross price in cents. */
export function total({ net, vatPercent }: { net: number; vatPercent: number }) {
  if (vatPercent < 0) throw new RangeError('vatPercent must not be negative')
  return { gross: Math.round((net * (100 + vatPercent)) / 100) }
}
`,
    'price.testcase.yaml': `${head}kind: testcase
name: A price with VAT
componentUnderTest: price
tags: [ smoke ]
scenario:
  dataset: { file: ./price.csv }
  steps:
    - id: total
      call: { function: total, args: [ { net: "{{row.net}}", vatPercent: "{{row.vatPercent}}" } ] }
      expect:
        - { name: gross, path: $.gross, assert: equals, value: "{{row.gross}}" }
`,
    'price.csv': `name,net,vatPercent,gross
standard rate,100,19,119
reduced rate,100,7,107
`,
    'smoke.suite.yaml': `${head}kind: suite
name: Smoke tests
select: { tags: [ smoke ] }
`,
  }
}

export const init: Command = {
  name: 'init',
  args: '[folder]',
  count: [0, 1],
  does: 'make a folder with a first scenario; scenarios if absent',
  async run({ args: [folder = 'scenarios'], client, terminal }) {
    const files = Object.entries(filesOf(client.at(SCHEMA_PATH)))
    await writeFiles(folder, Object.fromEntries(files), 'Name another folder')
    terminal.json({ files: files.map(([name]) => join(folder, name)) })
    for (const [name] of files) terminal.line(join(folder, name))
    terminal.line()
    terminal.line(`Run it: ${PROGRAM} run ${folder}`)
  },
}
