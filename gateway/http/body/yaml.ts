import { AppError, isErrorCode } from '../../../formats/errors.ts'
import { LOAD_LIMITS } from '../../../platform/load/limits.ts'
import {
  type Excess,
  TaskProcesses,
  TimeBudget,
} from '../../../platform/task-processes/task-processes.ts'

/** Processor time to read one body; a scenario of 1 000 steps takes a tenth of it. */
const YAML_BODY_MS = 2_000
const HEAP_MEBIBYTES = 100
const IDLE_MS = 10_000

export interface YamlBodies {
  /** Parses a text. @throws AppError BAD_USER_INPUT, OVERLOADED */
  read(text: string): Promise<unknown>
  stop(): Promise<void>
}

/** Reads YAML in a process of its own: a megabyte of it can take the parser half a minute. */
export function createYamlBodies(): YamlBodies {
  const processes = new TaskProcesses({
    file: new URL('./yaml-process.ts', import.meta.url),
    max: 1,
    heapMebibytes: HEAP_MEBIBYTES,
    maxWaiting: LOAD_LIMITS.yamlBodies.most,
    idleMs: IDLE_MS,
    revive: ({ message, code }) =>
      isErrorCode(code) ? new AppError(code, message) : new Error(message),
    refuse: (excess) => new AppError(...REFUSALS[excess]),
  })
  return {
    read: (text) => processes.run('parse', text, new TimeBudget('YAML_BODY_MS', YAML_BODY_MS)),
    stop: () => processes.stop(),
  }
}

const REFUSALS: Readonly<Record<Excess, ConstructorParameters<typeof AppError>>> = {
  time: [
    'PAYLOAD_TOO_LARGE',
    `The request body takes longer to read than ${YAML_BODY_MS} ms (YAML_BODY_MS): send it as JSON`,
  ],
  memory: [
    'PAYLOAD_TOO_LARGE',
    `The request body takes more memory to read than ${HEAP_MEBIBYTES} MiB: send it as JSON`,
  ],
  waiting: ['OVERLOADED', 'Too many YAML bodies are being read: try again later, or send JSON'],
}
