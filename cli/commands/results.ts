import { type Command, limitOf, type Options, textOf } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { showScenario } from '../run/exchanges.ts'
import { markLines, readMarks } from '../run/marks.ts'
import { RESULT_ID, type Result, scenariosOf, verdictLine } from '../run/result.ts'
import { painted } from '../terminal.ts'

export const results: Command = {
  name: 'results',
  args: '[result id | id]',
  count: [0, 1],
  does: 'show a result, or list results, the newest first',
  details: ['An id of a scenario or suite lists its results.'],
  options: {
    filter: {
      value: 'JSON',
      does: `such as '{"state":"FAILED","labels":{"build":"42"}}'`,
    },
    limit: { value: 'NUMBER', does: 'results at most, 1 to 1000; 20 if absent' },
  },
  async run({ args: [id], client, options, terminal }) {
    if (id !== undefined && RESULT_ID.test(id)) {
      const result = await client.rest<Result>('GET', `/result/${id}`)
      terminal.json(result)
      for (const each of scenariosOf(result)) await showScenario(each, client, terminal)
      const marks = terminal.isJson ? null : await readMarks(id, client)
      if (marks) for (const line of markLines(marks, terminal)) terminal.line(line)
      terminal.line(verdictLine(result, terminal))
      return
    }
    const filter = { ...filterOf(options), ...(id ? { contextId: id } : {}) }
    const query = { filter: JSON.stringify(filter), pageSize: limitOf(options) ?? '20' }
    const list = await client.rest<Result[]>('GET', '/result', { query })
    for (const result of list) {
      terminal.json(result)
      const { id: resultId, contextId, state, started, message } = result
      terminal.line(
        `${started}  ${resultId}  ${painted(terminal, state)} ${contextId}  ${message ?? ''}`.trimEnd(),
      )
    }
    if (list.length === 0) terminal.note(id ? `There is no result of ${id}` : 'There is no result')
  },
}

/** @throws CommandError for what is no JSON object */
function filterOf(options: Options): object {
  const given = textOf(options, 'filter')
  if (given === undefined) return {}
  try {
    const filter: unknown = JSON.parse(given)
    if (typeof filter === 'object' && filter !== null) return filter
  } catch {} // the same fault
  throw usageError(`--filter is ${given}: expected a JSON object such as '{"state":"FAILED"}'`)
}
