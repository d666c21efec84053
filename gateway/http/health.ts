import { setTimeout as delay } from 'node:timers/promises'
import { type Context, openCaller } from '../../subgraphs/platform/access/caller.ts'
import type { SubgraphLink } from '../federation/index.ts'
import { textResponse } from './http-message.ts'
import type { Endpoint } from './router.ts'

const HEALTH_CHECK: Context = { caller: openCaller('health-check') }
const NO_ID = '00000000-0000-0000-0000-000000000000'

/** What shows that a subgraph is up, by its name. */
export type Probes = Readonly<Record<string, string>>

/** Our own look up a row that is not there: without a database they are of no use. */
export const OWN_PROBES: Probes = {
  'test-execution': `{ component(id: "${NO_ID}") { id } }`,
  events: `{ event(id: "${NO_ID}") { id } }`,
  accounts: `{ account(id: "${NO_ID}") { id } }`,
}

/** The process lives. @param facts what an operator wants to see of it, such as how code is sandboxed */
export const healthz = (facts: object): Endpoint['handle'] => {
  const response = textResponse({
    status: 200,
    body: { status: 'ok', ...facts },
    headers: NOT_STORED,
  })
  return () => response
}

const NOT_STORED = { 'Cache-Control': 'no-store' }

/** How long a subgraph may take to show that it is up, and its database with it. */
const PATIENCE_MS = 2_000
/** Probes within this time share an answer, so that frequent probes do not burden the subgraphs. */
const FRESH_MS = 1_000

/**
 * The process serves: 503 when no subgraph is up, and while it stops. A subgraph that is down takes down its own fields only:
 * then the status is `degraded`, and the body names it.
 */
export function readyz(
  links: () => readonly SubgraphLink[],
  isStopping: () => boolean,
  probes: Probes = {},
): Endpoint['handle'] {
  let states: Promise<Record<string, 'up' | 'down'>> | undefined
  let askedAt = 0
  return async () => {
    if (!states || performance.now() - askedAt > FRESH_MS) {
      states = statesOf(links(), probes)
      askedAt = performance.now()
    }
    const subgraphs = await states
    const status = isStopping() ? 'stopping' : readinessOf(Object.values(subgraphs))
    return textResponse({
      status: status === 'ok' || status === 'degraded' ? 200 : 503,
      body: { status, subgraphs },
      headers: NOT_STORED,
    })
  }
}

function readinessOf(states: readonly ('up' | 'down')[]): 'ok' | 'degraded' | 'unavailable' {
  if (!states.includes('up')) return 'unavailable'
  return states.includes('down') ? 'degraded' : 'ok'
}

async function statesOf(
  links: readonly SubgraphLink[],
  probes: Probes,
): Promise<Record<string, 'up' | 'down'>> {
  const states = links.map(async (link) => {
    const answers = isUp(link, probes[link.name]).catch(() => false)
    const up = await Promise.race([answers, delay(PATIENCE_MS, false, { ref: false })])
    return [link.name, up ? ('up' as const) : ('down' as const)] as const
  })
  return Object.fromEntries(await Promise.all(states))
}

/** A foreign subgraph may refuse a request without caller; it is up all the same. */
async function isUp(link: SubgraphLink, probe: string | undefined): Promise<boolean> {
  if (probe === undefined && link.isUp) return link.isUp(HEALTH_CHECK)
  const document = probe ?? '{ __typename }'
  const { errors } = await link.execute({ kind: 'query', document, variables: {} }, HEALTH_CHECK)
  return !errors
}
