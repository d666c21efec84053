import { existsSync, readlinkSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'

/** What a thread can do, by name. Inputs and results are plain data: they are copied between threads. */
// biome-ignore lint/suspicious/noExplicitAny: each task has an input of its own
export type Tasks = Readonly<Record<string, (input: any) => unknown>>

/** One task for a thread. */
export interface Request {
  name: string
  input: unknown
}

/** An error as it crosses threads. */
export interface ThrownInThread {
  name: string
  message: string
  code?: unknown
}

/** How a task ended. */
export type Reply = { result: unknown } | { thrown: ThrownInThread }

/** Comes once, before the first task. */
export interface Ready {
  /** Where the kernel tells how long the thread has run; null on machines without. */
  schedule: string | null
}

/** Has this thread run tasks, one after the other, for `Threads`. */
export function serveTasks(tasks: Tasks): void {
  const reply = (message: Reply | Ready) => parentPort?.postMessage(message)
  parentPort?.on('message', async ({ name, input }: Request) => {
    try {
      reply({ result: await tasks[name]?.(input) })
    } catch (error) {
      reply({ thrown: thrownIn(error) })
    }
  })
  reply({ schedule: scheduleOfThread() })
}

function scheduleOfThread(): string | null {
  try {
    const file = `/proc/${readlinkSync('/proc/thread-self')}/schedstat`
    return existsSync(file) ? file : null
  } catch {
    return null
  }
}

function thrownIn(error: unknown): ThrownInThread {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const code = 'code' in error ? error.code : undefined
  return { name: error.name, message: error.message, ...(code === undefined ? {} : { code }) }
}
