import { setTimeout as delay } from 'node:timers/promises'
import type { RequestHandler } from 'express'
import type { Context } from '../../subgraphs/shared/caller.ts'
import type { SubgraphLink } from '../links/link.ts'

const PING = { document: 'query Ping { __typename }', variables: {}, kind: 'query' } as const
const HEALTH_CHECK: Context = { caller: { requestId: 'health-check', user: null } }

/** The process lives. @param facts what an operator wants to see of it, such as how code is sandboxed */
export const healthz =
  (facts: object): RequestHandler =>
  (_request, response) =>
    void response.json({ status: 'ok', ...facts })

/** How long a subgraph may take to show that it is up. */
const PATIENCE_MS = 2_000

/** The process serves: 503 when no subgraph is up. One that is down takes down its own fields only, and is told. */
export const readyz =
  (links: readonly SubgraphLink[]): RequestHandler =>
  async (_request, response) => {
    const states = links.map(async (link) => {
      const answers = link.execute(PING, HEALTH_CHECK).then(
        ({ errors }) => !errors,
        () => false,
      )
      const up = await Promise.race([answers, delay(PATIENCE_MS, false, { ref: false })])
      return [link.name, up ? 'up' : 'down'] as const
    })
    const subgraphs = Object.fromEntries(await Promise.all(states))
    const ready = Object.values(subgraphs).includes('up')
    response.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'unavailable', subgraphs })
  }
