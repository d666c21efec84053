import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from '../command.ts'
import { CommandError, EXIT } from '../exit-codes.ts'

/** Stands beside this program in the package. */
const SERVER = new URL('./gateway.js', import.meta.url)

export const serve: Command = {
  name: 'serve',
  args: '',
  count: [0, 0],
  does: 'start Assay itself, with a database of its own in .data',
  details: [
    'It needs the product, which a clone of the repository has (npm start) and the package of the command has not.',
    'Its settings are environment variables, or stand in a file .env.',
  ],
  async run() {
    if (!existsSync(fileURLToPath(SERVER)))
      throw new CommandError(
        EXIT.usage,
        'This is the command alone, without the product: start that with npm start in a clone of its repository',
      )
    process.argv.splice(2) // the product has arguments of its own
    await import(SERVER.href)
  },
}
