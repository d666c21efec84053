import { readFileSync } from 'node:fs'
import { VARIABLES } from '../../../subgraphs/shared/variables.ts'

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
const rows =
  README.split('\n## Settings\n')[1]
    ?.split('\n## ')[0]
    ?.match(/^\| `.*$/gm) ?? []
const rowOf = (name: string) => rows.find((row) => row.split('|')[1]?.includes(`\`${name}\``))

test.each(Object.keys(VARIABLES))('README tells what %s is for', (name) => {
  expect(rowOf(name)).toBeDefined()
})

const simple = Object.entries(VARIABLES).flatMap(([name, schema]) =>
  'default' in schema && !String(schema.default).includes('://') && schema.default !== ''
    ? [[name, String(schema.default)]]
    : [],
)

test.each(simple)('and that %s is %s by default', (name, value) => {
  expect(rowOf(String(name))?.split('|')[2]).toContain(`\`${value}\``)
})
