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

/** The process serves. A subgraph that is down takes down its own fields only, so it is told and not counted. */
export const readyz =
  (links: readonly SubgraphLink[]): RequestHandler =>
  async (_request, response) => {
    const states = links.map(async (link) => {
      const up = await link.execute(PING, HEALTH_CHECK).then(
        ({ errors }) => !errors,
        () => false,
      )
      return [link.name, up ? 'up' : 'down'] as const
    })
    response.json({ status: 'ok', subgraphs: Object.fromEntries(await Promise.all(states)) })
  }
