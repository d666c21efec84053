import type { Command } from '../command.ts'

export const logs: Command = {
  name: 'logs',
  args: '<result id>',
  count: [1, 1],
  does: 'show the log of an execution',
  async run({ args: [id = ''], client, terminal }) {
    const path = `/result/${encodeURIComponent(id)}/details`
    const { log } = await client.rest<{ log: string }>('GET', path)
    terminal.json({ id, log })
    terminal.text(log === '' || log.endsWith('\n') ? log : `${log}\n`)
  },
}
