import { writeFile } from 'node:fs/promises'
import { type Command, textOf } from '../command.ts'
import { SCHEMA_PATH } from '../folder/schema-path.ts'
import type { Schema } from '../json.ts'

export const schema: Command = {
  name: 'schema',
  args: '',
  count: [0, 0],
  does: 'show the JSON Schema of artifact files, for editors',
  options: { output: { short: 'o', value: 'FILE', does: 'write it into a file' } },
  async run({ client, options, terminal }) {
    const schema = await client.rest<Schema>('GET', SCHEMA_PATH)
    const file = textOf(options, 'output')
    const indented = `${JSON.stringify(schema, null, 2)}\n`
    if (file) await writeFile(file, indented)
    terminal.json(file ? { files: [file] } : schema)
    if (file) terminal.line(file)
    else terminal.text(indented)
  },
}
