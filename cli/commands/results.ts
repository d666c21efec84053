import type { Client } from '../client.ts'
import { type Command, limitOf, type Options, textOf } from '../command.ts'
import { CommandError, EXIT, usageError } from '../exit-codes.ts'
import { showScenario } from '../run/exchanges.ts'
import { markLines, readMarks } from '../run/marks.ts'
import { RESULT_ID, type Result, scenariosOf, verdictLine } from '../run/result.ts'
import { whyLines } from '../run/why.ts'
import { painted } from '../terminal.ts'

export const results: Command = {
  name: 'results',
  args: '[result id | id]',
  count: [0, 1],
  does: 'show a result, or list results, the newest first',
  details: [
    'A result that did not succeed shows its cause, and since when it fails.',
    'An id of a scenario or suite lists its results.',
  ],
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
      for (const each of scenariosOf(result)) {
        await showScenario(each, client, terminal)
        if (terminal.isJson) continue
        for (const line of await whyLines(each, client)) terminal.line(line)
      }
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
    if (list.length > 0) return
    if (id !== undefined) await checkKnown(id, client)
    terminal.note(id ? `There is no result of ${id}` : 'There is no result')
  },
}

/** @throws CommandError NOT_FOUND for an id that no result, scenario or suite has */
async function checkKnown(id: string, client: Client): Promise<void> {
  const query = { filter: JSON.stringify({ contextId: id }), pageSize: '1' }
  if ((await client.rest<Result[]>('GET', '/result', { query })).length > 0) return
  for (const kind of ['testcase', 'suite'])
    try {
      await client.rest('GET', `/${kind}/${encodeURIComponent(id)}`)
      return
    } catch (error) {
      if (!(error instanceof CommandError && NONE.includes(error.code ?? ''))) throw error
    }
  const message = `NOT_FOUND: No result, scenario or suite has the id ${id}`
  throw new CommandError(EXIT.refused, message, 'NOT_FOUND')
}

/** The second is for a text that can be no id. */
const NONE = ['NOT_FOUND', 'BAD_USER_INPUT']

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
