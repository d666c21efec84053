import type { Command } from '../command.ts'
import { follow } from '../run/follow.ts'
import { readMarks } from '../run/marks.ts'
import { judge } from '../run/reports.ts'
import { RESULT_ID, type Result, verdictLine } from '../run/result.ts'
import { START_OPTIONS } from '../run/start.ts'
import { execute } from './run.ts'

export const watch: Command = {
  name: 'watch',
  args: '<result id | id | file | folder>',
  count: [1, 1],
  does: 'follow an execution with its steps and log lines',
  details: [
    'What is no id of a result is executed first, as by run --follow.',
    'An execution that is named by its result goes on behind Ctrl-C.',
  ],
  options: START_OPTIONS,
  isJudged: true,
  async run(context) {
    const { args, client, terminal } = context
    const [id = ''] = args
    if (!RESULT_ID.test(id)) return execute(context, true)
    await follow(id, client, terminal)
    const result = await client.rest<Result>('GET', `/result/${id}`)
    terminal.line(verdictLine(result, terminal))
    return judge(result, null, context, (await readMarks(id, client))?.isQuarantined)
  },
}
