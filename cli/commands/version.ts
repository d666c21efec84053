import packageJson from '../../package.json' with { type: 'json' }
import type { Command } from '../command.ts'

export const version: Command = {
  name: 'version',
  args: '',
  count: [0, 0],
  does: 'show the version',
  async run({ terminal }) {
    terminal.json({ version: packageJson.version })
    terminal.line(`assay ${packageJson.version}`)
  },
}
