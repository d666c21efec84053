import { type Command, textOf } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { type Result, scenarioLines, scenariosOf, verdictLine } from '../run/result.ts'
import { painted } from '../terminal.ts'

const RESULT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

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
      for (const each of scenariosOf(result))
        for (const line of scenarioLines(each, terminal)) terminal.line(line)
      terminal.line(verdictLine(result, terminal))
      return EXIT.ok
    }
    const given = textOf(options, 'filter')
    const filter = { ...(given ? JSON.parse(given) : {}), ...(id ? { contextId: id } : {}) }
    const query = { filter: JSON.stringify(filter), pageSize: textOf(options, 'limit') ?? '20' }
    const list = await client.rest<Result[]>('GET', '/result', { query })
    for (const result of list) {
      terminal.json(result)
      const { id: resultId, contextId, state, started, message } = result
      terminal.line(
        `${started}  ${resultId}  ${painted(terminal, state)} ${contextId}  ${message ?? ''}`.trimEnd(),
      )
    }
    return EXIT.ok
  },
}
