import { setTimeout as delay } from 'node:timers/promises'
import { type Assay, startAssay } from '../../_support/assay.ts'
import { USERS_ENV } from '../../e2e/_support/users.ts'
import { RawSocket } from '../../integration/gateway/_support/raw-socket.ts'
import { type Probe, startProbe } from './probe.ts'

/** As for single requests: see stalls.test.ts. */
const ALLOWED = { ms: 200, mib: 500 }
const TRIES = 3
const SETTLE_MS = 1_500
const SOCKETS = 30
const MEGABYTE = 2 ** 20
const ACCEPTED_BYTES = 64_000

let assay: Assay
let probe: Probe
let idleMib: number

beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process', env: { ...USERS_ENV, LOG_LEVEL: 'info' } })
  probe = await startProbe(assay.url, assay.pids.server ?? 0)
  await (await RawSocket.ready(assay.url)).close()
  await delay(SETTLE_MS)
  await probe.seen()
  await delay(SETTLE_MS)
  idleMib = (await probe.seen()).residentMib
}, 60_000)

afterAll(async () => {
  probe?.stop()
  await assay?.stop()
}, 60_000)

const frame = (type: string, element: string, bytes: number): string =>
  `{"type":"${type}","payload":{"a":[${`${element},`.repeat(bytes / (element.length + 1) - 20)}0]}}`

test.each([
  ['ping', '0', MEGABYTE, 1009],
  ['ping', '{}', MEGABYTE, 1009],
  ['ping', '0', ACCEPTED_BYTES, 'pong'],
  ['connection_init', '{}', MEGABYTE, 1009],
  ['connection_init', '{}', ACCEPTED_BYTES, 'connection_ack'],
])(
  '30 sockets without a sign-in, each with a %s of [%s, …] of %s bytes: %s',
  async (type, element, bytes, outcome) => {
    const text = frame(type, element, bytes)
    const delays: number[] = []
    for (let tried = 0; tried < TRIES; tried++) {
      const sockets = await Promise.all(
        Array.from({ length: SOCKETS }, () => RawSocket.open(assay.url)),
      )
      await probe.seen()
      for (const socket of sockets) socket.send(text)
      const outcomes = await Promise.all(
        sockets.map(async (socket) =>
          typeof outcome === 'number'
            ? (await socket.closed).code
            : ((await socket.next()) as { type: string }).type,
        ),
      )
      const { worstMs, controlMs, residentMib } = await probe.seen()
      await Promise.all(sockets.map((socket) => socket.close()))
      process.stderr.write(
        `${type} [${element}, …] ${bytes}: /healthz ${worstMs.toFixed()} ms, bare server ${controlMs.toFixed()} ms, ${(residentMib - idleMib).toFixed()} MiB over idle\n`,
      )
      expect(new Set(outcomes)).toEqual(new Set([outcome]))
      expect(residentMib - idleMib).toBeLessThan(ALLOWED.mib)
      delays.push(worstMs - controlMs)
      if (worstMs - controlMs < ALLOWED.ms) break
    }
    expect(Math.min(...delays)).toBeLessThan(ALLOWED.ms)
  },
  120_000,
)
