import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { format, print, summarize } from '../samples.ts'
import type { Load } from './load.ts'

/**
 * Sends bodies at an even rate, whether or not earlier ones were answered, and prints how long each took since its time
 * came. (autocannon, which makes the other loads, sends what is due in a second in one burst at its beginning.)
 * @param load.warmUpSeconds before, at the same rate: connections are opened, and what sends them is compiled
 */
export async function pacedLoad({
  title,
  url,
  connections,
  seconds,
  body,
  rate,
  success,
  warmUpSeconds,
}: Load & { rate: number; warmUpSeconds: number }): Promise<void> {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections })
  const headers = { 'content-type': 'application/json' }
  const took: number[] = []
  const others: string[] = []
  const begin = performance.now()
  const send = async (due: number) => {
    const options = { path: pathname, method: 'POST', headers, body: body() } as const
    const { statusCode, body: answer } = await pool.request(options)
    const text = await answer.text()
    if (due < warmUpSeconds * 1_000) return
    took.push(performance.now() - begin - due)
    if (statusCode !== success) others.push(`${statusCode} ${text}`)
  }
  const sent: Promise<void>[] = []
  while (performance.now() - begin < (warmUpSeconds + seconds) * 1_000) {
    for (let due = dueAt(sent.length, rate); due <= performance.now() - begin; )
      due = dueAt(sent.push(send(due)), rate)
    await delay(1)
  }
  await Promise.all(sent)
  await pool.close()
  const { p50, p99 } = summarize(took)
  print(
    `${title}: ${format(took.length / seconds)} requests/s, evenly · p50 ${format(p50)} · p99 ${format(p99)} ms · besides ${success}: ${others.length}`,
  )
  if (others[0]) print(`  the first of these: ${others[0]}`)
}

const dueAt = (index: number, rate: number): number => (index / rate) * 1_000
