import type { Client } from '../client.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { environmentsOf, isInSeveral } from '../run/environments.ts'
import { type Result, scenariosOf } from '../run/result.ts'
import { painted } from '../terminal.ts'

interface Difference {
  contextId: string
  /** Null unless scenarios ran in several. */
  environmentId: string | null
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
    const inSeveral = [before, after].some(isInSeveral)
    const placed = (result: Result) => placedIn(result, inSeveral, client)
    const differences = differencesOf(await placed(before), await placed(after))
    const coverage = coverageOf(before, after)
    terminal.json({ before: first, after: second, differences, coverage })
    for (const { contextId, environmentId, before: old, after: fresh, message } of differences)
      terminal.line(
        `${contextId}${environmentId ? ` in ${environmentId}` : ''}: ${old ?? 'absent'} → ${fresh ? painted(terminal, fresh) : 'absent'} ${message ?? ''}`.trimEnd(),
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

/** Scenarios by what finds them again: their id, and the environment where they ran in several. */
type Placed = ReadonlyMap<string, Result & { environmentId: string | null }>

async function placedIn(result: Result, inSeveral: boolean, client: Client): Promise<Placed> {
  const environments = inSeveral ? await environmentsOf(result, client) : null
  return new Map(
    scenariosOf(result).map((each) => {
      const environmentId = environments?.get(each.id) || null
      return [JSON.stringify([each.contextId, environmentId]), { ...each, environmentId }]
    }),
  )
}

function differencesOf(before: Placed, after: Placed): Difference[] {
  const states = (all: Placed) => new Map([...all].map(([key, { state }]) => [key, state]))
  return changesOf(states(before), states(after)).flatMap(({ key, ...change }) => {
    const known = after.get(key) ?? before.get(key)
    if (!known) return []
    const { contextId, environmentId } = known
    return [{ contextId, environmentId, ...change, message: after.get(key)?.message || null }]
  })
}

function coverageOf(before: Result, after: Result) {
  const percentages = ({ codeCoverage }: Result) =>
    new Map(codeCoverage.map((each) => [each.componentName, each.coveragePercentage]))
  return changesOf(percentages(before), percentages(after)).map(({ key, ...change }) => ({
    componentName: key,
    ...change,
  }))
}
