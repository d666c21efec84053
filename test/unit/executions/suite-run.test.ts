import type { Execution } from '../../../subgraphs/test-execution/executions/execution.entity.ts'
import type { SuiteRun } from '../../../subgraphs/test-execution/executions/execution.ts'
import {
  dealt,
  type EndedMember,
  laneUpdates,
  newSuiteRun,
  nextInLanes,
  partSize,
  vacancies,
  withBegun,
  withEnded,
} from '../../../subgraphs/test-execution/executions/suite/suite-run.ts'

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, 0, ms))

const suite = (settings: Partial<SuiteRun> = {}): SuiteRun => ({
  ...newSuiteRun({ haltAtFailure: false, maxParallel: 2 }, []),
  scenarios: 100,
  ...settings,
})

// Only what these functions read.
const member = (position: number, endedMs: number, startedMs = endedMs - 5): EndedMember =>
  ({
    id: `member-${position}`,
    contextName: `Scenario ${position}`,
    state: 'COMPLETED',
    started: at(startedMs),
    ended: at(endedMs),
    message: '',
    position,
  }) as EndedMember

test.each<[string, number[], Partial<SuiteRun>, number]>([
  ['1 before any has ended', [], {}, 1],
  ['what fits into 250 ms', [30, 20], {}, 8],
  ['at most 25', [0], { scenarios: 1_000 }, 25],
  ['1 of long ones', [400, 1], {}, 1],
  ['an equal share of what is left', [1], { scenarios: 16, lanes: [[0], [1]] }, 7],
  ['1 where a failure halts the suite', [1], { haltAtFailure: true }, 1],
])('a part has %s', (_, tookMs, settings, size) => {
  expect(partSize(suite(settings), tookMs)).toBe(size)
})

test('scenarios are dealt out in turn', () => {
  expect(dealt([0, 1, 2, 3, 4], 2)).toEqual([
    [0, 2, 4],
    [1, 3],
  ])
  expect(dealt([0], 4)).toEqual([[0]])
})

test('a lane is free when its last scenario has ended', () => {
  const run = withBegun(suite(), [[0, 2], [1]])
  expect(vacancies(run)).toBe(0)
  const later = withEnded(run, [member(0, 10), member(1, 11)])
  expect(later).toMatchObject({ lanes: [[2]], ended: { COMPLETED: 2 } })
  expect(vacancies(later)).toBe(1)
})

test('the turn of a scenario begins with the end of the one before it in its lane', () => {
  const run = withBegun(suite(), [
    [0, 2, 4],
    [1, 3],
  ])
  expect(nextInLanes(run, [member(1, 30), member(0, 10), member(2, 20)])).toEqual([
    { position: 4, since: at(20) },
    { position: 3, since: at(30) },
  ])
  expect(nextInLanes(run, [member(2, 10)])).toEqual([])
})

test('a scenario starts once and before it ends, and all come in the order of their times', () => {
  const run = withBegun(suite(), [[0, 2, 4], [1]])
  const begun = { ...member(4, 99, 22), state: 'RUNNING', ended: null } as Execution
  const updates = laneUpdates(run, [member(0, 10), member(2, 21, 11), member(1, 15)], [begun])
  expect(updates.flatMap((each) => (each.kind === 'LOG' ? each.lines : []))).toEqual([
    expect.stringContaining('Scenario 0 COMPLETED'),
    expect.stringContaining('Scenario 2 starts'),
    expect.stringContaining('Scenario 1 COMPLETED'),
    expect.stringContaining('Scenario 2 COMPLETED'),
    expect.stringContaining('Scenario 4 starts'),
  ])
})
