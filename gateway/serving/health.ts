import { setTimeout as delay } from 'node:timers/promises'
import type { RequestHandler } from 'express'
import type { Context } from '../../subgraphs/shared/caller.ts'
import type { SubgraphLink } from '../links/link.ts'

const PING = { document: 'query Ping { __typename }', variables: {}, kind: 'query' } as const
const HEALTH_CHECK: Context = {
  caller: { requestId: 'health-check', user: null, permissions: [] },
}

/** The process lives. @param facts what an operator wants to see of it, such as how code is sandboxed */
export const healthz =
  (facts: object): RequestHandler =>
  (_request, response) =>
    void response.set('Cache-Control', 'no-store').json({ status: 'ok', ...facts })

/** How long a subgraph may take to show that it is up. */
const PATIENCE_MS = 2_000
/** Probes that come closer together share an answer: whoever asks often must not burden the subgraphs. */
const FRESH_MS = 1_000

/**
 * The process serves: 503 when no subgraph is up, and while it stops. One that is down takes down its own fields only,
 * and is told.
 */
export function readyz(
  links: () => readonly SubgraphLink[],
  isStopping: () => boolean,
): RequestHandler {
  let states: Promise<Record<string, 'up' | 'down'>> | undefined
  let askedAt = 0
  return async (_request, response) => {
    if (!states || performance.now() - askedAt > FRESH_MS) {
      states = statesOf(links())
      askedAt = performance.now()
    }
    const subgraphs = await states
    const ready = !isStopping() && Object.values(subgraphs).includes('up')
    response.set('Cache-Control', 'no-store').status(ready ? 200 : 503)
    response.json({ status: ready ? 'ok' : isStopping() ? 'stopping' : 'unavailable', subgraphs })
  }
}

async function statesOf(links: readonly SubgraphLink[]): Promise<Record<string, 'up' | 'down'>> {
  const states = links.map(async (link) => {
    const answers = link.execute(PING, HEALTH_CHECK).then(
      ({ errors }) => !errors,
      () => false,
    )
    const up = await Promise.race([answers, delay(PATIENCE_MS, false, { ref: false })])
    return [link.name, up ? ('up' as const) : ('down' as const)] as const
  })
  return Object.fromEntries(await Promise.all(states))
}
