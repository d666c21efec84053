import type { ExecutionResult } from 'graphql'
import { pino } from 'pino'
import { Changes, SharedRuns } from '../../../../../gateway/federation/executor/shared-runs.ts'
import { contextKey, openCaller } from '../../../../../platform/access/caller.ts'

const caller = (user: string, requestId = 'one') => ({ caller: { ...openCaller(requestId), user } })
const ADA = caller('ada')

/** Runs that end, and have their first answer, when the test says so. */
function setUp(options = {}) {
  const changes = new Changes(options)
  const runs = new SharedRuns(changes, pino({ level: 'silent' }), contextKey)
  const begun: (PromiseWithResolvers<ExecutionResult> & { close: () => void })[] = []
  const join = (variables = {}, context = ADA) =>
    runs.join(variables, context, (close) => {
      const run = Promise.withResolvers<ExecutionResult>()
      begun.push({ ...run, close })
      return run.promise
    })
  return { changes, begun, join }
}

/** Runs begin when all that came together has been read. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('equal queries of equal callers get the result of one run', async () => {
  const { begun, join } = setUp()
  const all = [join({ id: 1 }), join({ id: 1 }), join({ id: 1 }, caller('ada', 'two'))]
  await turn()
  expect(begun).toHaveLength(1)
  begun[0]?.resolve({ data: { a: 1 } })
  const [first, ...others] = await Promise.all(all)
  expect(first).toEqual({ data: { a: 1 } })
  for (const other of others) expect(other).toBe(first)
})

test.each<[string, object, typeof ADA]>([
  ['other variables', { id: 2 }, ADA],
  ['another caller', { id: 1 }, caller('eve')],
])('%s: a run of its own', async (_what, variables, context) => {
  const { begun, join } = setUp()
  void join({ id: 1 })
  void join(variables, context)
  await turn()
  expect(begun).toHaveLength(2)
})

test('nobody joins a run that has an answer', async () => {
  const { begun, join } = setUp()
  void join()
  await turn()
  begun[0]?.close()
  void join()
  await turn()
  expect(begun).toHaveLength(2)
  begun[0]?.close() // a later fetch of the first run; the second one is still open
  void join()
  await turn()
  expect(begun).toHaveLength(2)
})

test('nobody joins a run that began before a change', async () => {
  const { changes, begun, join } = setUp()
  void join()
  changes.count++
  void join()
  await turn()
  expect(begun).toHaveLength(2)
})

test('a failure is the failure of all, and the next query begins again', async () => {
  const { begun, join } = setUp()
  const both = [join(), join()]
  await turn()
  begun[0]?.reject(new Error('gone'))
  for (const run of both) await expect(run).rejects.toThrow('gone')
  void join()
  await turn()
  expect(begun).toHaveLength(2)
})

test('where other processes change the data, a run is shared by what came before it began', async () => {
  const { begun, join } = setUp({ othersChange: true })
  void join()
  void join()
  await turn()
  expect(begun).toHaveLength(1)
  void join()
  await turn()
  expect(begun).toHaveLength(2)
})
