import { pairsOf } from '../../formats/pairs.ts'
import type { Client } from '../client.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import type { Difference } from '../json.ts'
import { environmentsOf, isInSeveral } from '../run/environments.ts'
import { type Result, scenariosOf } from '../run/result.ts'
import { painted } from '../terminal.ts'

export const compare: Command = {
  name: 'compare',
  args: '<result id> <result id>',
  count: [2, 2],
  does: 'compare two results; exit code 1 where verdicts differ',
  async run({ args: [first = '', second = ''], client, terminal }) {
    const read = (id: string) => client.rest<Result>('GET', `/result/${encodeURIComponent(id)}`)
    const [before, after] = await Promise.all([read(first), read(second)])
    const inSeveral = [before, after].some(isInSeveral)
    const differences = differencesOf(
      await placed(before, inSeveral, client),
      await placed(after, inSeveral, client),
    )
    const coverage = coverageOf(before, after)
    terminal.json({ before: first, after: second, differences, coverage })
    for (const { contextId, environmentId, before: old, after: fresh, message } of differences)
      terminal.line(
        `${contextId}${environmentId ? ` in ${environmentId}` : ''}: ${old ?? 'absent'} → ${fresh ? painted(terminal, fresh) : 'absent'} ${message ?? ''}`.trimEnd(),
      )
    for (const { componentName, before: old, after: fresh } of coverage)
      terminal.line(`coverage of ${componentName}: ${percent(old)} → ${percent(fresh)}`)
    if (differences.length === 0) terminal.line('The verdicts are the same')
    return differences.length === 0 ? EXIT.ok : EXIT.failed
  },
}

const percent = (coverage: number | null): string =>
  coverage === null ? 'not measured' : `${coverage} %`

/** The scenarios of a result; their environments are read only where one may have run in several. */
async function placed(result: Result, inSeveral: boolean, client: Client) {
  const environments = inSeveral ? await environmentsOf(result, client) : null
  return scenariosOf(result).map(({ id, contextId, state, message }) => {
    return { path: contextId, environmentId: environments?.get(id) || null, state, message }
  })
}

type Placed = Awaited<ReturnType<typeof placed>>

const differencesOf = (before: Placed, after: Placed): Difference[] =>
  pairsOf(before, after)
    .filter((pair) => pair.before?.state !== pair.after?.state)
    .map(({ path, environmentId, before: old, after: fresh }) => ({
      ...{ contextId: path, environmentId, before: old?.state ?? null },
      ...{ after: fresh?.state ?? null, message: fresh?.message || null },
    }))

/** Components of either, whose coverage differs. */
function coverageOf(before: Result, after: Result) {
  const percentages = ({ codeCoverage }: Result) =>
    new Map(codeCoverage.map((each) => [each.componentName, each.coveragePercentage]))
  const [old, fresh] = [percentages(before), percentages(after)]
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((componentName) => ({
      componentName,
      before: old.get(componentName) ?? null,
      after: fresh.get(componentName) ?? null,
    }))
    .filter((each) => each.before !== each.after)
}
