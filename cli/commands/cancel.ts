import { type Command, textOf } from '../command.ts'
import type { Result } from '../run/result.ts'

export const cancel: Command = {
  name: 'cancel',
  args: '<result id…>',
  count: [1, Number.POSITIVE_INFINITY],
  does: 'end executions before their time',
  options: { reason: { value: 'TEXT', does: 'why; stands in the result' } },
  async run({ args, client, options, terminal }) {
    for (const id of args) {
      const path = `/result/${encodeURIComponent(id)}/cancel`
      const query = { reason: textOf(options, 'reason') }
      const result = await client.rest<Result>('POST', path, { query })
      terminal.json(result)
      terminal.line(`${result.contextId} ${result.state} ${result.message ?? ''}`.trimEnd())
    }
  },
}
