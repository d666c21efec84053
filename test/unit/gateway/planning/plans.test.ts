import { composeServices } from '@apollo/composition'
import { parse } from 'graphql'
import { createPlanner } from '../../../../gateway/federation/planning/planner.ts'
import type { Plans } from '../../../../gateway/federation/supergraph/preparation.ts'
import { createPlans } from '../../../../gateway/planning/plans.ts'
import { overlapping } from '../../../support/overlapping.ts'
import { descendantsOf } from '../../../support/process-tree.ts'
import { leastProcessorMs, processorMs } from '../../../support/processor-ms.ts'

const SUBGRAPHS = {
  books: `type Query { books: [Book!]! book(id: ID!): Book }
    type Book @key(fields: "id") { id: ID! title: String }
    type Subscription { added: Book }`,
  sales: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@external", "@requires"])
    type Book @key(fields: "id") { id: ID! title: String @external sold(year: Int): Int @requires(fields: "title") }`,
}

const supergraphOf = (subgraphs: Readonly<Record<string, string>>): string => {
  const services = Object.entries(subgraphs).map(([name, sdl]) => ({
    name,
    url: 'http://127.0.0.1:1',
    typeDefs: parse(sdl),
  }))
  const { supergraphSdl, errors } = composeServices(services)
  if (!supergraphSdl) throw new AggregateError(errors ?? [], String(errors))
  return supergraphSdl
}

let plans: Plans | undefined
afterEach(async () => {
  await plans?.stop()
  plans = undefined
})

const nested = (levels: number): string =>
  levels === 0 ? '{ f0 f3 }' : `{ f0 f3 next ${nested(levels - 1)} other ${nested(levels - 1)} }`

const plansFor = (sdl: string, planMs = 20_000) => {
  const planner = createPlanner(sdl)
  plans = createPlans(sdl, planner, { planMs })
  return { planner, plans }
}

test.each([
  '{ books { title } }',
  '{ books { sold(year: 2026) } }',
  'query ($with: Boolean!, $id: ID!) { book(id: $id) { id sold @include(if: $with) other: sold(year: 1) } }',
  'subscription { added { sold } }',
  '{ __typename }',
  '{ __type(name: "Book") { ...type } books { title } } fragment type on __Type { isOneOf }',
])('a plan is the same from the other process: %s', async (text) => {
  const { planner, plans } = plansFor(supergraphOf(SUBGRAPHS))
  const document = parse(text)
  expect(await plans.plan(document)).toEqual(planner.plan(document))
})

test('an operation that takes too long to plan is ended and refused, at once when it comes again', async () => {
  const { plans } = plansFor(supergraphOf(overlapping(7)), 300)
  const large = parse(`{ root ${nested(7)} }`)
  let [last, longest] = [processorMs(), 0]
  const timer = setInterval(() => {
    longest = Math.max(longest, processorMs() - last)
    last = processorMs()
  }, 5)
  const refusal = {
    code: 'OPERATION_LIMIT_EXCEEDED',
    message: expect.stringContaining('longer to plan than 300 ms, which OPERATION_PLAN_MS allows'),
  }
  await expect(plans.plan(large)).rejects.toMatchObject(refusal)
  clearInterval(timer)
  expect(longest).toBeLessThan(250)
  await expect(plans.plan(parse('{ root { f0 } }'))).resolves.toMatchObject({ kind: 'Fetch' })
  const again = () => expect(plans.plan(large)).rejects.toMatchObject(refusal)
  expect(await leastProcessorMs(250, again)).toBeLessThan(250)
})

test('the time of a plan begins when the planner is there', async () => {
  const types = Array.from({ length: 2_000 }, (_, at) => `type T${at} { a: Int b: Int t: T${at} }`)
  const fields = types.map((_, at) => `t${at}: T${at}`)
  const large = supergraphOf({ many: `type Query { ${fields.join(' ')} } ${types.join(' ')}` })
  const planner = createPlanner(large)
  const began = processorMs()
  planner.prepare()
  const planMs = Math.floor(processorMs() - began)
  plans = createPlans(large, planner, { planMs })
  await expect(plans.plan(parse('{ t0 { a } }'))).resolves.toMatchObject({ kind: 'Fetch' })
})

test('an operation that took too much memory is planned again when it comes again', async () => {
  const { plans } = plansFor(supergraphOf(overlapping(7)))
  const large = parse(`{ root ${nested(7)} }`)
  for (let tried = 0; tried < 2; tried++) {
    await plans.plan(parse('{ root { f0 } }'))
    const planning = plans.plan(large)
    const processes = await descendantsOf([process.pid])
    const planner = processes.find(({ command }) => command.includes('planning-process'))
    process.kill(planner?.pid ?? 0, 'SIGABRT') // as it ends without memory
    await expect(planning).rejects.toThrow('takes more memory to plan than 400 MiB')
  }
})

test('callers take turns: many operations of one delay those of another by one', async () => {
  const { plans } = plansFor(supergraphOf(SUBGRAPHS))
  const planned: string[] = []
  const planFor = async (owner: string) => {
    await plans.plan(parse('{ books { sold } }'), null, [], owner)
    planned.push(owner)
  }
  const ofOne = Array.from({ length: 20 }, () => planFor('one'))
  await Promise.all([...ofOne, planFor('another')])
  expect(planned.indexOf('another')).toBeLessThan(3)
})

test('of the operations that wait to be planned, one caller may have a part', async () => {
  const { plans } = plansFor(supergraphOf(SUBGRAPHS))
  const planFor = (owner: string) =>
    Promise.resolve(plans.plan(parse('{ books { sold } }'), null, [], owner))
  const ofOne = Promise.allSettled(Array.from({ length: 120 }, () => planFor('one')))
  await expect(planFor('another')).resolves.toMatchObject({ kind: 'Sequence' })
  const refused = (await ofOne).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(120 - 1 - 100)
  expect(refused[0]).toMatchObject({ reason: { code: 'OVERLOADED' } })
})
