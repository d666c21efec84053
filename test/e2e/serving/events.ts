import { readUntil } from '../../conformance/calls.ts'
import { accept, newTitle, post, rawEvent, read, store } from '../../conformance/events.ts'
import { data } from '../../support/e2e/graph.ts'
import {
  answering,
  createScenario,
  expect42,
  replaceSource,
  run,
} from '../../support/e2e/scenarios.ts'

describe('events', () => {
  test('an event is read back as it was posted', async () => {
    const event = rawEvent()
    const stored = await store(event)
    expect(stored).toMatchObject({ ...event, timesSeen: 1 })
    expect(await store(event)).toMatchObject({ id: stored.id, timesSeen: 2 })
  })

  test('an array is judged one by one', async () => {
    const answer = await post([rawEvent(), { message: 'no title' }, rawEvent()])
    expect(answer).toMatchObject({
      status: 202,
      body: {
        result: {
          sent: 2,
          success: 'partial',
          accepted: [{ index: 0 }, { index: 2 }],
          errors: [{ index: 1, message: 'The required field was missing: [title]' }],
        },
      },
    })
  })

  test('callers that post the same event at the same time are all counted', async () => {
    const event = rawEvent({ title: newTitle() })
    const ids = await Promise.all(Array.from({ length: 40 }, () => accept(event)))
    expect(new Set(ids).size).toBe(1)
    expect((await read(ids[0] ?? '')).body.timesSeen).toBe(40)
  })

  test('callers that post at the same time each get their own verdict, whatever the others sent', async () => {
    const bodies = [
      { title: newTitle() },
      `{"title":"deep","properties":${'{"a":'.repeat(650)}1${'}'.repeat(650)}}`,
      {},
      { title: newTitle(), tags: 1 },
      [{ title: newTitle() }, 42],
    ]
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, caller) => post(bodies[caller % bodies.length])),
    )
    answers.forEach(({ status, body: { result } }, caller) => {
      const kind = caller % bodies.length
      expect([caller, status]).toEqual([caller, kind === 0 || kind === 4 ? 202 : 400])
      expect(result.accepted?.map(({ index }) => index)).toEqual(status === 202 ? [0] : undefined)
      const refused = [undefined, [0], [0], [0], [1]][kind]
      expect(result.errors?.map(({ index }) => index)).toEqual(refused)
    })
  })

  interface Joined {
    executionResult: {
      state: string
      events: { id: string; title: string; severity: string; status: string; timesSeen: number }[]
    }
  }

  /** The one event of the scenario that an execution ran, once it has been seen so often. */
  async function eventOf(executionId: string, timesSeen: number) {
    const { executionResult } = await readUntil(
      () =>
        data<Joined>(
          'query ($id: ID!) { executionResult(id: $id) { state events { id title severity status timesSeen } } }',
          { id: executionId },
        ),
      ({ executionResult: { events } }) => events[0]?.timesSeen === timesSeen,
    )
    expect(executionResult.events).toHaveLength(1)
    return executionResult.events[0]
  }

  test('a scenario that fails and then succeeds is one event that opens and turns OK', async () => {
    const id = await createScenario(answering(41), [expect42])
    const failed = await run(id)
    expect(failed.state).toBe('FAILED')
    const opened = await eventOf(failed.id, 1)
    expect(opened).toMatchObject({ title: id, severity: 'ERROR', status: 'OPEN' })

    await eventOf((await run(id)).id, 2)
    await replaceSource(id, answering(42))
    const succeeded = await run(id)
    expect(succeeded.state).toBe('COMPLETED')
    expect(await eventOf(succeeded.id, 3)).toEqual({
      ...opened,
      severity: 'INFO',
      status: 'OK',
      timesSeen: 3,
    })
  })

  test('one query joins both subgraphs in both directions', async () => {
    const name = await createScenario(
      'export function quote() {\n  throw new Error("closed")\n}\n',
      [
        { id: 'domestic', wait: { ms: 1 } },
        { id: 'overseas', call: { function: 'quote' } },
      ],
    )
    const { id } = await run(name)
    const event = await eventOf(id, 1)
    const answer = await data(
      `query ($execution: ID!, $event: ID!) {
      executionResult(id: $execution) {
        context { ... on TestCase { name componentUnderTest { name } events { totalCount nodes { id } } } }
        events { title execution { id state steps { id: stepId } } }
      }
      event(id: $event) { title execution { state context { ... on TestCase { id } } events { id } } }
    }`,
      { execution: id, event: event?.id },
    )
    expect(answer).toEqual({
      executionResult: {
        context: {
          name,
          componentUnderTest: { name },
          events: { totalCount: 1, nodes: [{ id: event?.id }] },
        },
        events: [
          {
            title: name,
            execution: { id, state: 'ERROR', steps: [{ id: 'domestic' }, { id: 'overseas' }] },
          },
        ],
      },
      event: {
        title: name,
        execution: {
          state: 'ERROR',
          context: { id: name },
          events: [{ id: event?.id }],
        },
      },
    })
  })
})
