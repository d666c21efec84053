import type { Command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { type Result, scenariosOf } from '../run/result.ts'
import { painted } from '../terminal.ts'

interface Difference {
  contextId: string
  /** Null where the scenario is absent. */
  before: string | null
  after: string | null
  message: string | null
}

export const compare: Command = {
  name: 'compare',
  args: '<result id> <result id>',
  count: [2, 2],
  does: 'compare two results; exit code 1 where verdicts differ',
  async run({ args: [first = '', second = ''], client, terminal }) {
    const read = (id: string) => client.rest<Result>('GET', `/result/${encodeURIComponent(id)}`)
    const [before, after] = await Promise.all([read(first), read(second)])
    const differences = differencesOf(before, after)
    const coverage = coverageOf(before, after)
    terminal.json({ before: first, after: second, differences, coverage })
    for (const { contextId, before: old, after: fresh, message } of differences)
      terminal.line(
        `${contextId}: ${old ?? 'absent'} → ${fresh ? painted(terminal, fresh) : 'absent'} ${message ?? ''}`.trimEnd(),
      )
    for (const { componentName, before: old, after: fresh } of coverage)
      terminal.line(`coverage of ${componentName}: ${old ?? '–'} % → ${fresh ?? '–'} %`)
    if (differences.length === 0) terminal.line('The verdicts are the same')
    return differences.length === 0 ? EXIT.ok : EXIT.failed
  },
}

/** Keys of either, with what differs. */
const changesOf = <Value>(before: ReadonlyMap<string, Value>, after: ReadonlyMap<string, Value>) =>
  [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => ({ key, before: before.get(key) ?? null, after: after.get(key) ?? null }))
    .filter((each) => each.before !== each.after)

function differencesOf(before: Result, after: Result): Difference[] {
  const states = (result: Result) =>
    new Map(scenariosOf(result).map(({ contextId, state }) => [contextId, state]))
  const messages = new Map(scenariosOf(after).map(({ contextId, message }) => [contextId, message]))
  return changesOf(states(before), states(after)).map(({ key, ...change }) => ({
    contextId: key,
    ...change,
    message: messages.get(key) || null,
  }))
}

function coverageOf(before: Result, after: Result) {
  const percentages = ({ codeCoverage }: Result) =>
    new Map(codeCoverage.map((each) => [each.componentName, each.coveragePercentage]))
  return changesOf(percentages(before), percentages(after)).map(({ key, ...change }) => ({
    componentName: key,
    ...change,
  }))
}
