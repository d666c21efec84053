import { jest } from '@jest/globals'
import type { Client } from '../../../cli/client.ts'
import { progressLine, showProgress } from '../../../cli/run/progress.ts'
import type { Terminal } from '../../../cli/terminal.ts'

const lines: (string | null)[] = []
const terminal = {
  isLive: true,
  paint: (_style: string, text: string) => text,
  progress: (line: string | null) => void lines.push(line),
} as unknown as Terminal // all that progress uses
const START = Date.parse('2026-01-01T00:00:00Z')
const nothing = { startedMs: START, queuePosition: null, steps: 0, stepsBefore: 0, names: [] }

beforeEach(() => {
  jest.useFakeTimers({ now: START + 3_000 })
  lines.length = 0
})
afterEach(() => jest.useRealTimers())

test.each([
  [
    'a scenario',
    { scenarios: 1, scenariosEnded: 0, steps: 154, names: ['load'] },
    'RUNNING 12 s, 154 steps ended, load',
  ],
  [
    'a scenario that ran before',
    { scenarios: 1, scenariosEnded: 0, steps: 125, stepsBefore: 500, names: ['load'] },
    '██████░░░░░░░░░░░░░░░░░░ 125 of 500 steps RUNNING 12 s, load',
  ],
  [
    'a scenario that has more steps than it had',
    { scenarios: 1, scenariosEnded: 0, steps: 7, stepsBefore: 6 },
    'RUNNING 12 s, 7 steps ended',
  ],
  [
    'a suite',
    { scenarios: 4, scenariosEnded: 1, steps: 0, names: ['a', 'b'] },
    '██████░░░░░░░░░░░░░░░░░░ 1 of 4 RUNNING 12 s, 1 waits for a slot, a, b',
  ],
  [
    'a suite of which most scenarios wait',
    { scenarios: 500, scenariosEnded: 154, names: ['a', 'b: 5 s before retry 1 of 2'] },
    '███████░░░░░░░░░░░░░░░░░ 154 of 500 RUNNING 12 s, 344 wait for a slot, a, b: 5 s before retry 1 of 2',
  ],
  [
    'a suite that waits itself',
    { scenarios: 2, scenariosEnded: 0, queuePosition: 3 },
    '░░░░░░░░░░░░░░░░░░░░░░░░ 0 of 2 RUNNING 12 s, waits for a worker, place 3 of the queue',
  ],
  [
    'what waits',
    { scenarios: 1, scenariosEnded: 0, queuePosition: 7 },
    'RUNNING 12 s, waits for a worker, place 7 of the queue',
  ],
  ['a total that is not known yet', { scenarios: 1, scenariosEnded: 3 }, 'RUNNING 12 s'],
])('%s is shown in one line', (_name, shown, line) => {
  expect(progressLine({ ...nothing, ...shown }, START + 12_345, terminal)).toBe(line)
})

test('seconds pass and the place in the queue moves without an update, until the end', async () => {
  const places = [3, 1, null]
  const graphql = jest.fn(async (document: string) => ({
    executionResults: { nodes: [{ steps: [{}, {}] }] },
    executionResult: document === 'progress' && {
      contextId: 'context',
      started: '2026-01-01T00:00:00Z',
      progress: { queuePosition: places.shift() ?? null, scenarios: 1, scenariosEnded: 0 },
    },
  }))
  const progress = showProgress('id', { graphql } as unknown as Client, terminal)
  await jest.advanceTimersByTimeAsync(3_000)
  expect(lines.filter((line) => line?.includes('place'))).toEqual([
    'RUNNING 3 s, waits for a worker, place 3 of the queue',
    'RUNNING 4 s, waits for a worker, place 3 of the queue',
    'RUNNING 4 s, waits for a worker, place 1 of the queue',
    'RUNNING 5 s, waits for a worker, place 1 of the queue',
  ])
  expect(lines.at(-1)).toBe('RUNNING 6 s')
  expect(graphql).toHaveBeenCalledTimes(4)
  expect(graphql).toHaveBeenCalledWith('earlier', { contextId: 'context' })
  progress.update({ names: ['doze: 5 s before retry 1 of 2'] })
  expect(lines.at(-1)).toBe('RUNNING 6 s, doze: 5 s before retry 1 of 2')
  progress.update({ steps: 1, names: [] })
  expect(lines.at(-1)).toBe('████████████░░░░░░░░░░░░ 1 of 2 steps RUNNING 6 s')
  progress.end()
  await jest.advanceTimersByTimeAsync(2_000)
  expect(lines.at(-1)).toBeNull()
})

test('no progress is read for a log file', () => {
  const graphql = jest.fn()
  const client = { graphql } as unknown as Client
  showProgress('id', client, { ...terminal, isLive: false }).update({ names: ['a'] })
  expect([graphql.mock.calls.length, lines]).toEqual([0, []])
})
