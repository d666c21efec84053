import { setTimeout as delay } from 'node:timers/promises'
import { type Head, NoneLeft } from './sockets.ts'

/**
 * End of one request: as wanted, refused with 503 or 429 and Retry-After, or in any other way; `unsent` where each
 * client of the load still waited for its last answer.
 */
export type Outcome = 'done' | 'refused' | 'failed' | 'unsent'

export interface Answered {
  outcome: Outcome
  /** Response of a failed one. */
  instead?: string
}

/** Sends one request of a kind to its end. */
export type Send = () => Promise<Answered>

export interface Sample extends Answered {
  /** When it was due, in ms since the begin of the phase. */
  due: number
  /** Milliseconds from then to its answer. */
  took: number
}

/** Callers that send the next request when the last one is answered. @returns requests per second that were done */
export async function closedLoop(send: Send, callers: number, seconds: number): Promise<number> {
  const begin = performance.now()
  const end = begin + seconds * 1_000
  let done = 0
  const caller = async () => {
    while (performance.now() < end) if ((await send().catch(failed)).outcome === 'done') done++
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return done / ((performance.now() - begin) / 1_000)
}

/**
 * Sends at a rate, whatever is answered.
 * @param gaps random ones are exponential, as those of many clients that know nothing of each other
 * @returns what was answered, when all of it is
 */
export async function openLoop(
  send: Send,
  rate: number,
  seconds: number,
  gaps: 'even' | 'random' = 'even',
): Promise<Sample[]> {
  const gapMs = () => (gaps === 'even' ? 1 : -Math.log(1 - Math.random())) * (1_000 / rate)
  const begin = performance.now()
  const now = () => performance.now() - begin
  const samples: Sample[] = []
  const sent: Promise<void>[] = []
  const one = async (due: number) => {
    const answered = await send().catch((error: unknown): Answered => failed(error))
    samples.push({ ...answered, due, took: now() - due })
  }
  for (let due = 0; due < seconds * 1_000; ) {
    if (due <= now()) {
      sent.push(one(due))
      due += gapMs()
    } else await delay(1)
  }
  await Promise.all(sent)
  return samples
}

const failed = (error: unknown): Answered => ({
  outcome: error instanceof NoneLeft ? 'unsent' : 'failed',
  instead: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
})

/** The outcome that an HTTP response stands for. @param wanted its status */
export function outcomeOf({ status, headers }: Head, wanted: number): Answered {
  if (status === wanted) return { outcome: 'done' }
  const isRefusal = (status === 503 || status === 429) && headers['retry-after'] !== undefined
  return isRefusal ? { outcome: 'refused' } : { outcome: 'failed', instead: `status ${status}` }
}
