import { EventEmitter, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Longer than any test. */
const STEP_MS = 3_600_000

/** A server that answers when its test says so: until then whatever asks it goes on. */
export interface Gate {
  url: string
  /** As the `allowedHosts` of an environment name it. */
  host: string
  /** A step of a scenario that goes on until its request is answered. */
  step(id: string): { id: string; timeoutMs: number; http: { url: string } }
  /** Waits until this number of requests has arrived since the start. */
  reached(count: number): Promise<void>
  /** Answers one request that waits, or the next one. */
  letOneThrough(): Promise<void>
  /** Answers the requests that wait, and from now on all others. */
  open(): void
  stop(): Promise<void>
}

export async function startGate(): Promise<Gate> {
  const waiting = new Set<ServerResponse>()
  const arrivals = new EventEmitter().setMaxListeners(0)
  let arrived = 0
  let isOpen = false
  const server = createServer((_request, response) => {
    arrived++
    if (isOpen) response.end()
    else waiting.add(response.once('close', () => waiting.delete(response)))
    arrivals.emit('request')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
  const url = `http://${host}/`
  return {
    url,
    host,
    step: (id) => ({ id, timeoutMs: STEP_MS, http: { url } }),
    async reached(count) {
      while (arrived < count) await once(arrivals, 'request')
    },
    async letOneThrough() {
      while (waiting.size === 0) await once(arrivals, 'request')
      const [response] = waiting
      if (response) waiting.delete(response)
      response?.end()
    },
    open() {
      isOpen = true
      for (const response of waiting) response.end()
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A gate for each test. @returns the one of the test that runs */
export function useGate(): () => Gate {
  let gate: Gate | undefined
  beforeEach(async () => {
    gate = await startGate()
  })
  afterEach(() => gate?.stop())
  return () => {
    if (!gate) throw new Error('No test runs')
    return gate
  }
}
