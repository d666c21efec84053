import type { Connection, Page } from '../../../platform/paging/page.ts'
import { ReadBudget } from '../../../platform/paging/read-budget.ts'
import { EventRepository } from '../../../subgraphs/events/read/event.repository.ts'
import { EventService } from '../../../subgraphs/events/read/event.service.ts'
import {
  causedByContext,
  ExecutionEventRepository,
} from '../../../subgraphs/events/read/execution-event.repository.ts'
import { DEFAULT_SETTINGS } from '../../../subgraphs/events/settings.ts'
import { fillManyEvents, type ManyEvents } from '../../support/events/many-events.ts'

/** Numbers of events that the executions of each context caused, and of their occurrences. */
const CONTEXTS = {
  none: [0, 0],
  nightly: [1, 5_000],
  few: [40, 3],
  hundred: [100, 1],
  more: [101, 2],
  many: [5_000, 1],
} as const

const ALL = [...Object.keys(CONTEXTS), 'unknown', '']

let many: ManyEvents
beforeAll(async () => {
  many = await fillManyEvents()
  for (const [context, [events, times]] of Object.entries(CONTEXTS))
    await many.pool.query(
      `insert into events.execution_event (execution_id, event_id, context_id, context_type)
       select gen_random_uuid()::text, id, $1, 'testcase'
       from (select id from events.event order by md5(id::text || $1) limit $2) as event, generate_series(1, $3)`,
      [context, events, times],
    )
  await many.pool.query('analyze events.execution_event')
})
afterAll(() => many.stop())

const contentOf = async ({
  nodes,
  pageInfo,
  count,
}: Connection<{ id: string; title: string }>) => ({
  nodes: nodes.map(({ id, title }) => ({ id, title })),
  pageInfo,
  total: await count(),
})

async function expectSame(pageBytes: number, pages: readonly Page[], contexts = ALL) {
  const budget = new ReadBudget(pageBytes)
  const events = new EventRepository(many.orm, { ...DEFAULT_SETTINGS, pageBytes }, budget)
  const service = new EventService(events, new ExecutionEventRepository(many.orm), budget)
  const asked = pages.flatMap((page) => contexts.map((context) => ({ page, context })))
  const together = asked.map(({ page: { limit, isBackward }, context }) =>
    service.findPageOfContext(context, isBackward ? { last: limit } : { first: limit }),
  )
  const read = await Promise.all((await Promise.all(together)).map(contentOf))
  // One after the other: a few lists run at a time, and others do not wait for ever.
  for (const [at, { page, context }] of asked.entries())
    expect(read[at]).toEqual(
      await contentOf(await events.findPage(page, [causedByContext(context)])),
    )
  return read
}

const pagesOf = (limit: number): Page[] =>
  [false, true].map((isBackward) => ({ limit, isBackward, from: null }))

test('contexts that are read together have the pages that each has by itself', async () => {
  const pages = await expectSame(DEFAULT_SETTINGS.pageBytes, [1, 39, 40, 100, 150].flatMap(pagesOf))
  expect(pages.slice(0, 5).map(({ total }) => total.value)).toEqual([0, 1, 40, 100, 101])
})

test('pages end by bytes, and what a statement has no room for is read all the same', async () => {
  const contexts = ['few', 'hundred', 'nightly', 'none', 'more', 'few', 'many']
  const pages = await expectSame(1_000, pagesOf(50), contexts)
  expect(pages[0]?.nodes.length).toBeGreaterThan(1)
  expect(pages[0]?.nodes.length).toBeLessThan(40)
  await expectSame(1, pagesOf(50), contexts)
})

test('more contexts than one statement reads', async () => {
  const unknown = Array.from({ length: 250 }, (_, at) => `unknown ${at}`)
  await expectSame(DEFAULT_SETTINGS.pageBytes, pagesOf(5), [...unknown, 'few'])
})
