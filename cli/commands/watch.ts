import type { Command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { follow } from '../run/follow.ts'
import type { Result } from '../run/result.ts'
import { START_OPTIONS } from '../run/start.ts'
import { execute } from './run.ts'

const RESULT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const watch: Command = {
  name: 'watch',
  args: '<result id | id | file | folder>',
  count: [1, 1],
  does: 'follow an execution with its steps and log lines',
  details: ['What is no id of a result is executed first, as by run --follow.'],
  options: START_OPTIONS,
  async run(context) {
    const { args, client, terminal } = context
    const [id = ''] = args
    if (!RESULT_ID.test(id)) return execute(context, true)
    await follow(id, client, terminal)
    const { state } = await client.rest<Result>('GET', `/result/${id}`)
    return state === 'COMPLETED' ? EXIT.ok : EXIT.failed
  },
}
