import type { Execution } from '../../../subgraphs/test-execution/executions/execution.entity.ts'
import type {
  ExecutionStateName,
  StoredUpdate,
} from '../../../subgraphs/test-execution/executions/execution.ts'
import { ExecutionUpdates } from '../../../subgraphs/test-execution/executions/watch/updates.ts'

const RUNNING = 250
const TEARDOWN = 1

/** An execution that was cancelled: its teardown has an update behind the end. */
const execution = (message: string) =>
  ({ id: 'e', state: 'ERROR', updateCount: RUNNING + 1 + TEARDOWN, message }) as Execution

const update = (seq: number, state: ExecutionStateName): StoredUpdate => ({
  executionId: 'e',
  seq,
  kind: 'LOG',
  state,
  step: null,
  log: [],
})

const UPDATES = [
  ...Array.from({ length: RUNNING }, (_, at) => update(at + 1, 'RUNNING')),
  update(RUNNING + 1, 'ERROR'),
  update(RUNNING + 2, 'ERROR'),
]

test('an execution that has ended is read again for what comes with its end, and for nothing before', async () => {
  const loaded: string[] = []
  const updates = new ExecutionUpdates(
    {
      find: async () => execution('found'),
      async load(id) {
        loaded.push(id)
        return execution('loaded')
      },
      updatesAfter: async (_, seq, limit) =>
        UPDATES.filter((each) => each.seq > seq).slice(0, limit),
    },
    { subscribe: () => () => {} },
  )
  const seen: string[] = []
  for await (const change of updates.watch(execution('when it was opened'), ''))
    seen.push(`${change.execution.state} ${change.execution.message}`)
  expect(seen).toEqual([...Array(RUNNING).fill('RUNNING null'), 'ERROR loaded'])
  expect(loaded.length).toBeLessThanOrEqual(1 + TEARDOWN)
  updates.stop()
})

test('a stop ends the wait for an execution that still runs, which is not read any more', async () => {
  let found = 0
  const reads = Promise.withResolvers<void>()
  const updates = new ExecutionUpdates(
    {
      async find() {
        found += 1
        reads.resolve()
        return { ...execution(''), state: 'RUNNING' } as Execution
      },
      load: async () => undefined,
      updatesAfter: async () => [],
    },
    { subscribe: () => () => {} },
  )
  const waiting = updates.ended('e')
  await reads.promise
  updates.stop()
  await expect(waiting).rejects.toMatchObject({ code: 'OVERLOADED' })
  await expect(updates.ended('e')).rejects.toMatchObject({ code: 'OVERLOADED' })
  expect(found).toBe(1)
})
