import { setTimeout as delay } from 'node:timers/promises'
import { type Probe, startProbe } from '../../system/attacks/probe.ts'
import { type Message, send } from '../../system/attacks/send.ts'
import { type Assay, startAssay } from '../assay.ts'
import { ADMIN, ADMIN_PASSWORD, basic, USERS_ENV } from '../e2e/users.ts'

/** With any one request in flight, /healthz answers within this, and memory stays within this of idle. */
const ALLOWED = { ms: 200, mib: 500 }
/** A loaded machine delays everybody: the best of a few counts. */
const TRIES = 3
/** No machine is that loaded. */
const HOPELESS_MS = 3_000
const SETTLE_MS = 1_500

const SIGNED_IN = basic(ADMIN, ADMIN_PASSWORD)
const WARM_UP: readonly Message[] = [
  { path: '/api/v1/events', headers: SIGNED_IN, body: '{"title":"First"}' },
  { path: '/graphql', headers: SIGNED_IN, body: '{"query":"{ events { totalCount } }"}' },
]

/** A product that attacks must not slow down, as a probe sees it. */
export interface Target {
  url: string
  probe: Probe
  idleMib: number
}

/** Everything in one process, once threads that it keeps are started. */
export async function startTarget(
  env: Readonly<Record<string, string>> = {},
): Promise<Target & { stop(): Promise<void> }> {
  const assay: Assay = await startAssay({
    mode: 'in-process',
    env: { ...USERS_ENV, LOG_LEVEL: 'info', ...env },
  })
  const probe = await startProbe(assay.url, assay.pids.server ?? 0)
  for (const warmUp of WARM_UP) await send(assay.url, warmUp)
  await delay(SETTLE_MS)
  await probe.seen()
  await delay(SETTLE_MS)
  return {
    url: assay.url,
    probe,
    idleMib: (await probe.seen()).residentMib,
    async stop() {
      probe.stop()
      await assay.stop()
    },
  }
}

/** Attacks until /healthz was quick beside it, as it is expected to be the first time. @param attack checks its answer itself */
export async function withstands(
  { probe, idleMib }: Target,
  name: string,
  attack: () => Promise<unknown>,
  allowedMs = ALLOWED.ms,
): Promise<void> {
  const delays: number[] = []
  for (let tried = 0; tried < TRIES; tried++) {
    await probe.seen()
    const began = performance.now()
    await attack()
    const tookMs = performance.now() - began
    const { worstMs, controlMs, residentMib } = await probe.seen()
    const grownMib = residentMib - idleMib
    process.stderr.write(
      `${name}: /healthz ${worstMs.toFixed()} ms, bare server ${controlMs.toFixed()} ms, ${grownMib.toFixed()} MiB over idle, took ${tookMs.toFixed()} ms\n`,
    )
    expect(grownMib).toBeLessThan(ALLOWED.mib)
    delays.push(worstMs - controlMs)
    if (worstMs - controlMs < allowedMs || worstMs > HOPELESS_MS) break
  }
  expect(Math.min(...delays)).toBeLessThan(allowedMs)
}
