import { setTimeout as delay } from 'node:timers/promises'
import { type Assay, startAssay } from '../../_support/assay.ts'
import { ADMIN, ADMIN_PASSWORD, basic, USERS_ENV } from '../../e2e/_support/users.ts'
import { type Probe, startProbe } from './probe.ts'
import { type Message, send } from './send.ts'
import { STALLS } from './stall-corpus.ts'

/** With any one request in flight, /healthz answers within this, and memory stays within this of idle. */
const ALLOWED = { ms: 200, mib: 500 }
/** A loaded machine delays everybody: what counts is the best of a few. */
const TRIES = 3
const SETTLE_MS = 1_500
/** No machine is that loaded. */
const HOPELESS_MS = 3_000

const WARM_UP: readonly Message[] = [
  { path: '/api/v1/events', headers: basic(ADMIN, ADMIN_PASSWORD), body: '{"title":"First"}' },
  {
    path: '/graphql',
    headers: basic(ADMIN, ADMIN_PASSWORD),
    body: '{"query":"{ events { totalCount } }"}',
  },
]

let assay: Assay
let probe: Probe
let idleMib: number

beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process', env: { ...USERS_ENV, LOG_LEVEL: 'info' } })
  probe = await startProbe(assay.url, assay.pids.server ?? 0)
  // Idle is a product that has served something: threads that it keeps are started by then.
  for (const warmUp of WARM_UP) await send(assay.url, warmUp)
  await delay(SETTLE_MS)
  await probe.seen()
  await delay(SETTLE_MS)
  idleMib = (await probe.seen()).residentMib
}, 60_000)

afterAll(async () => {
  probe?.stop()
  await assay?.stop()
}, 60_000)

test.each(STALLS)(
  '$name',
  async ({ name, before, request, status }) => {
    await before?.(assay.url)
    const delays: number[] = []
    for (let tried = 0; tried < TRIES; tried++) {
      const message = request()
      await probe.seen()
      const answer = await send(assay.url, message)
      const { worstMs, controlMs, residentMib } = await probe.seen()
      delays.push(worstMs - controlMs)
      const grownMib = residentMib - idleMib
      process.stderr.write(
        `${name}: /healthz ${worstMs.toFixed()} ms, bare server ${controlMs.toFixed()} ms, ${grownMib.toFixed()} MiB over idle, answer ${answer.status}\n`,
      )
      expect(answer).toMatchObject({ status })
      expect(grownMib).toBeLessThan(ALLOWED.mib)
      if (worstMs - controlMs < ALLOWED.ms || worstMs > HOPELESS_MS) break
    }
    expect(Math.min(...delays)).toBeLessThan(ALLOWED.ms)
  },
  240_000,
)
