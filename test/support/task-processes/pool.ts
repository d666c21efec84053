import {
  TaskProcesses,
  type TaskProcessesOptions,
  TimeBudget,
} from '../../../platform/task-processes/task-processes.ts'

export const startPool = (options: Partial<TaskProcessesOptions> = {}): TaskProcesses =>
  new TaskProcesses({
    file: new URL('./program.ts', import.meta.url),
    data: {},
    max: 1,
    heapMebibytes: 50,
    maxWaiting: 10,
    idleMs: null,
    revive: ({ name, message }) => new Error(`${name}: ${message}`),
    refuse: (excess) => new Error(`too much ${excess}`),
    ...options,
  })

export const budget = (ms = 10_000): TimeBudget => new TimeBudget('TEST_MS', ms)
