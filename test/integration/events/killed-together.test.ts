import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { follow, linkTo, list, type StoredEvent } from '../../conformance/events.ts'
import { checkAgainst } from '../../conformance/row.ts'
import { type Assay, startAssay } from '../../support/assay.ts'

const KILLS = 5
const CLIENTS = 12
/** Every client also sends this event with each of its own. */
const HOT = 'seen by all'

let assay: Assay
beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process', env: { EXAMPLES: 'false' } })
  checkAgainst(assay.url)
})
afterAll(() => assay.stop())

const postmaster = async (): Promise<number> => {
  const file = join(assay.env.DATA_DIR ?? '', 'postgres', 'postmaster.pid')
  return Number((await readFile(file, 'utf8')).split('\n')[0])
}

interface Load {
  acknowledged: string[]
  sent: number
  statuses: Set<number>
  /** Waits for so many further acknowledgements. */
  progress(count: number): Promise<void>
  stop(): Promise<void>
}

/** Clients that send one event after the other, whatever the answer. */
function startLoad(prefix: string): Load {
  let isOver = false
  const load: Load = {
    acknowledged: [],
    sent: 0,
    statuses: new Set(),
    async progress(count) {
      const goal = load.acknowledged.length + count
      while (load.acknowledged.length < goal) await delay(5)
    },
    async stop() {
      isOver = true
      await Promise.all(clients)
    },
  }
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let n = 0; !isOver; n++) {
      const title = `${prefix} ${client} ${n}`
      load.sent++
      const response = await fetch(`${assay.url}/api/v1/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([{ title }, { title: HOT }]),
      }).catch(() => null)
      if (!response) await delay(100)
      else load.statuses.add(response.status)
      if (response?.status === 202) load.acknowledged.push(title)
      await response?.arrayBuffer().catch(() => {})
    }
  })
  return load
}

/** Title → how often it was seen, of all events. */
async function storedTitles(): Promise<Map<string, number>> {
  const stored = new Map<string, number>()
  let page = await list<StoredEvent>('', { limit: '1000' })
  for (;;) {
    for (const { title, timesSeen } of page.body.items) stored.set(title, timesSeen)
    const next = linkTo(page, 'next')
    if (!next) return stored
    page = await follow(next)
  }
}

test('server and database killed together under load, five times, lose nothing acknowledged and double nothing', async () => {
  const load = startLoad('killed')
  for (let kill = 0; kill < KILLS; kill++) {
    await load.progress(50)
    process.kill(await postmaster(), 'SIGKILL')
    await assay.kill('server', 'SIGKILL')
    await assay.restart('server')
  }
  await load.progress(50)
  await load.stop()

  const stored = await storedTitles()
  expect(load.acknowledged.filter((title) => !stored.has(title))).toEqual([])
  const own = [...stored].filter(([title]) => title !== HOT)
  expect(own.filter(([, timesSeen]) => timesSeen !== 1)).toEqual([])
  // Each request is stored as a whole or not at all.
  expect(stored.get(HOT)).toBe(own.length)
  expect(own.length).toBeLessThanOrEqual(load.sent)
})

test('a database that is restarted under load leads to 503 at worst, and to 202 again by itself', async () => {
  const load = startLoad('restarted')
  for (let restart = 0; restart < 2; restart++) {
    await load.progress(50)
    process.kill(await postmaster(), restart === 0 ? 'SIGINT' : 'SIGKILL')
  }
  await load.progress(50)
  await load.stop()
  expect([...load.statuses].filter((status) => status !== 202 && status !== 503)).toEqual([])
  const stored = await storedTitles()
  expect(load.acknowledged.filter((title) => stored.get(title) !== 1)).toEqual([])
})
