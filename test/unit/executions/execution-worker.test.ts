import { pino } from 'pino'
import type { Job } from '../../../platform/jobs/job.ts'
import { EXECUTE, type ExecuteJob } from '../../../subgraphs/test-execution/executions/execution.ts'
import {
  serveExecutions,
  type WorkerDeps,
} from '../../../subgraphs/test-execution/executions/run/execution.worker.ts'

/** As it is taken after its worker was lost, which ends it at once. */
const taken = (id: string) => [
  id,
  { execution: { id, attempt: 1, suiteId: null }, attemptsBefore: 1, snapshot: {} },
]

test('a part whose database fails between two executions frees its slot and watches none', async () => {
  const ended: string[] = []
  const watched: unknown[] = []
  let slots = 0
  let look: (id: null) => void = () => {}
  let handle: (job: Job<ExecuteJob>) => Promise<void> = async () => {}
  // Only what the worker asks for.
  const deps = {
    slots: 1,
    log: pino({ level: 'silent' }),
    jobs: {
      declare: async () => {},
      work: async ({ name }: { name: string }, _: number, given: typeof handle) => {
        if (name === EXECUTE.name) handle = given
      },
    },
    pubSub: {
      subscribe: (_: string, listener: typeof look) => {
        look = listener
      },
      publish: async (_: string, id: string) => void ended.push(id),
    },
    repository: {
      claim: async ([id]: string[]) => {
        if (id === 'b') throw new Error('The database is away')
        return new Map([taken('a'), taken('c')] as [string, unknown][])
      },
      finish: async (_: null, ends: { execution: { id: string } }[]) =>
        ends.map(({ execution }) => execution.id),
      runningAttempts: async (ids: unknown) => {
        watched.push(ids)
        return new Map()
      },
    },
    counts: {
      begun: () => {
        slots += 1
        return () => {
          slots -= 1
        }
      },
      ended: () => {},
    },
  } as unknown as WorkerDeps
  await serveExecutions(deps)
  const data = { executionId: 'a', rest: ['b', 'c'], requestId: 'r' }
  const job = { id: 'j', data, retryCount: 0, signal: new AbortController().signal }
  await expect(handle(job as Job<ExecuteJob>)).rejects.toThrow('The database is away')
  expect(slots).toBe(0)
  expect(ended).toEqual(['a'])
  look(null)
  expect(watched).toEqual([])
})
