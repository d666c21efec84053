import { deserialize, serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'

/** Tasks of a process, by name. Inputs and results are plain data: they are copied between processes. */
export type Tasks = Readonly<Record<string, (input: never) => unknown>>

/** One task for a process. */
export interface Request {
  name: string
  input: unknown
}

/** An error as it crosses processes. */
export interface ThrownInProcess {
  name: string
  message: string
  code?: unknown
}

/** End of a task; `memory` where its result is too large. */
export type Reply = { result: unknown } | { thrown: ThrownInProcess } | 'memory'

/** Comes once, before the first task. */
export type Ready = 'ready'

/** Bytes of a reply: compiled components and reports stay far below. */
const MAX_REPLY_BYTES = 32 * 2 ** 20

/**
 * Has this process run tasks, one after the other, for `TaskProcesses`.
 * @param prepare gets the data of the pool; what it takes is charged to no task
 */
export function serveTasks<Data>(prepare: (data: Data) => Tasks): void {
  endWithParent()
  process.once('message', (data: Buffer) => {
    const tasks = prepare(deserialize(data))
    process.on('message', async (request: Buffer) => process.send?.(await answer(tasks, request)))
    process.send?.(serialize('ready' satisfies Ready))
  })
}

async function answer(tasks: Tasks, request: Buffer): Promise<Buffer> {
  try {
    const { name, input }: Request = deserialize(request)
    // The pool of each kind of process has typed functions for its tasks.
    const reply = serialize({ result: await tasks[name]?.(input as never) } satisfies Reply)
    return reply.length > MAX_REPLY_BYTES ? serialize('memory' satisfies Reply) : reply
  } catch (error) {
    return serialize({ thrown: thrownIn(error) } satisfies Reply)
  }
}

export function thrownIn(error: unknown): ThrownInProcess {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const code = 'code' in error ? error.code : undefined
  return { name: error.name, message: error.message, ...(code === undefined ? {} : { code }) }
}

/** A process that is idle ends as its channel closes. One that is busy sees nothing of that: a thread of it looks. */
const LOOK_FOR_PARENT = `
const { workerData: parent } = require('node:worker_threads')
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, 1_000)`

function endWithParent(): void {
  new Worker(LOOK_FOR_PARENT, { eval: true, workerData: process.ppid }).unref()
}
