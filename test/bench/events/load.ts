import type { EventEmitter } from 'node:events'
import autocannon from 'autocannon'
import { startedMs } from '../processor-time.ts'
import { format, print, summarize } from '../samples.ts'

export interface Load {
  title: string
  url: string
  connections: number
  seconds: number
  body: () => string
  /** The one status that counts as success. */
  success: number
}

export interface Measured {
  /** Requests answered per second. */
  rate: number
  p99Ms: number
  /** Requests answered in all. */
  answered: number
}

/** Sends bodies as fast as they are answered, and prints each second's count. */
export async function load(given: Load): Promise<Measured> {
  const { title, url, connections, seconds, body, success } = given
  const samples: number[] = []
  const before = await startedMs()
  const {
    latency,
    requests,
    statusCodeStats = {},
    errors,
  } = await run(
    {
      url,
      connections,
      duration: seconds,
      requests: [
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          setupRequest: (request) => ({ ...request, body: body() }),
        },
      ],
    },
    (count) => samples.length < seconds && samples.push(count),
  )
  const answered = Object.values(statusCodeStats).reduce((sum, { count = 0 }) => sum + count, 0)
  const us = (((await startedMs()) - before) * 1_000) / answered
  const others = Object.entries(statusCodeStats).filter(([code]) => code !== String(success))
  const rest = [...others.map(([code, { count }]) => `${count} × ${code}`), `${errors} errors`]
  print(
    `${title}: ${format(requests.average)} requests/s · p50 ${latency.p50} · p99 ${latency.p99} ms · ${format(us)} µs of processor time each · besides ${success}: ${rest.join(', ')}`,
  )
  print(`  samples: ${samples.join(' ')}`)
  return { rate: summarize(samples).p50, p99Ms: latency.p99, answered }
}

/** @param onSecond gets the number of requests that were answered in each second */
const run = (options: autocannon.Options, onSecond: (count: number) => void) =>
  new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(options, (error, result) =>
      error ? reject(error) : resolve(result),
    )
    // Its type does not know this event.
    const emitter: EventEmitter = instance
    emitter.on('tick', ({ counter }: { counter: number }) => onSecond(counter))
  })
