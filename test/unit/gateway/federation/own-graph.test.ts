import { readFileSync } from 'node:fs'
import { type ConstDirectiveNode, type DirectiveNode, parse, visit } from 'graphql'
import {
  APOLLO_FIXES,
  applyApolloFixes,
} from '../../../../gateway/federation/apollo-fixes/apply.ts'
import { rootTypes } from '../../../../gateway/federation/apollo-fixes/root-types.ts'
import { createPlanner } from '../../../../gateway/federation/planning/planner.ts'
import { argumentOf } from '../../../../gateway/federation/supergraph/join-directive.ts'
import { routes } from '../../../../rest-bridge/index.ts'
import { randomOperation } from '../../../support/federation/random-operation.ts'
import { seededRandom } from '../../../support/federation/seeded-random.ts'

const SUPERGRAPH = readFileSync(
  new URL('../../../../schema/supergraph.graphql', import.meta.url),
  'utf8',
)
/** Number of random operations; more take longer and find nothing new. */
const RANDOM = 60

test('our graph uses nothing of federation that the fixes of the planner are about', () => {
  const used = new Set<string>()
  visit(parse(SUPERGRAPH), {
    DirectiveDefinition: () => false,
    Directive(directive: DirectiveNode) {
      for (const { name } of directive.arguments ?? [])
        used.add(`@${directive.name.value}(${name.value})`)
      if (directive.name.value === 'join__type')
        used.add(`key ${argumentOf(directive as ConstDirectiveNode, 'key')}`)
    },
  })
  for (const feature of ['requires', 'provides', 'external', 'override', 'usedOverridden'])
    expect(used).not.toContain(`@join__field(${feature})`)
  for (const feature of ['isInterfaceObject', 'resolvable', 'extension'])
    expect(used).not.toContain(`@join__type(${feature})`)
  const keys = [...used].filter((one) => one.startsWith('key '))
  expect(keys.sort()).toEqual(['key id', 'key undefined'])
})

test('our graph is planned alike with the fixes and without them', () => {
  const unpatched = createPlanner(SUPERGRAPH)
  const random = seededRandom(20_261)
  const texts = [
    ...new Set(routes.map(({ operation }) => operation)),
    ...Array.from({ length: RANDOM }, () => randomOperation(unpatched.schema, random).query),
  ]
  const plansOf = ({ plan }: typeof unpatched) =>
    texts.map((text) => ({ text, plan: withoutKeys(plan(parse(text))) }))
  const plans = plansOf(unpatched)
  // Fragments on root types lose their condition, which changes texts of fetches and no plan.
  const fixes = applyApolloFixes(APOLLO_FIXES.filter((fix) => fix !== rootTypes))
  try {
    expect(plansOf(createPlanner(SUPERGRAPH, { fixes }))).toEqual(plans)
  } finally {
    fixes.undo()
  }
})

/** The fixes note the keys of each subgraph, which matters only where it has several. */
const withoutKeys = (plan: unknown): unknown =>
  JSON.parse(JSON.stringify(plan ?? null), (name, value) => (name === 'keys' ? undefined : value))
