import { EventEmitter, once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * A process of its own that asks for /healthz over and over, so that what a test does meanwhile delays nothing. A bare
 * server in another process is asked alike: it tells how late answers are on this machine anyway.
 */

/** Observations since the last report. Delays in ms, memory in MiB. */
export interface Seen {
  worstMs: number
  /** Delay of the bare server. */
  controlMs: number
  residentMib: number
}

const PAUSE_MS = 5

/** Asks again and again. @returns what waits for the answer that is outstanding */
function probe(url: string, onAnswer: (ms: number) => void): { answered(): Promise<unknown> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const answers = new EventEmitter()
  async function ask(start: number): Promise<void> {
    const isAnswered = await answerOf(url, agent)
    onAnswer(performance.now() - start)
    await delay(PAUSE_MS)
    // A connection that was lost is no answer: the time goes on.
    void ask(isAnswered ? performance.now() : start)
    if (isAnswered) answers.emit('answer')
  }
  void ask(performance.now())
  return { answered: () => once(answers, 'answer') }
}

async function answerOf(url: string, agent: Agent): Promise<boolean> {
  try {
    const [response] = await once(get(url, { agent }), 'response')
    await once(response.resume(), 'end')
    return true
  } catch {
    return false
  }
}

async function watchMemory(pid: number, onSample: (mib: number) => void): Promise<never> {
  for (;;) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    onSample(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024)
    await delay(PAUSE_MS)
  }
}

function watch(url: string, controlUrl: string, pid: number): void {
  let seen: Seen = { worstMs: 0, controlMs: 0, residentMib: 0 }
  const atMost = (name: keyof Seen) => (value: number) => {
    seen[name] = Math.max(seen[name], value)
  }
  const health = probe(url, atMost('worstMs'))
  probe(controlUrl, atMost('controlMs'))
  void watchMemory(pid, atMost('residentMib'))
  process.on('message', async () => {
    await health.answered()
    process.send?.(seen)
    seen = { worstMs: 0, controlMs: 0, residentMib: 0 }
  })
}

const [url, controlUrl, pid] = process.argv.slice(2)
if (url && controlUrl) watch(url, controlUrl, Number(pid))
else {
  const control = createServer((_request, response) => void response.end('{}')).listen(
    0,
    '127.0.0.1',
  )
  control.once('listening', () => process.send?.((control.address() as AddressInfo).port))
}
process.once('disconnect', () => process.exit())
