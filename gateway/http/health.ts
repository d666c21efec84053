import { setTimeout as delay } from 'node:timers/promises'
import { type Context, openCaller } from '../../platform/access/caller.ts'
import type { Logger } from '../../platform/process/logger.ts'
import type { SubgraphLink } from '../federation/index.ts'
import { reasonOf } from '../sign-in/failure-reason.ts'
import { textResponse } from './http-message.ts'
import type { Endpoint } from './router.ts'

const HEALTH_CHECK: Context = { caller: { ...openCaller('health-check'), isProbe: true } }
const NO_ID = '00000000-0000-0000-0000-000000000000'

/** Queries that show that a subgraph is up, by its name. */
export type Probes = Readonly<Record<string, string>>

/** Our own look up a row that is not there: without a database they are of no use. */
export const OWN_PROBES: Probes = {
  'test-execution': `{ component(id: "${NO_ID}") { id } }`,
  events: `{ event(id: "${NO_ID}") { id } }`,
  accounts: `{ account(id: "${NO_ID}") { id } }`,
}

/** The process lives. @param facts what an operator wants to see of it, such as how code is sandboxed */
export const healthz =
  (facts: () => object | Promise<object> = () => ({})): Endpoint['handle'] =>
  async () =>
    textResponse({ status: 200, body: { status: 'ok', ...(await facts()) } })

/** Names in `/healthz` of what subgraphs may have paused, and queries for the reason. */
const PAUSES = [
  { subgraph: 'events', name: 'notifications', document: '{ reason: notificationsPaused }' },
  { subgraph: 'test-execution', name: 'schedules', document: '{ reason: schedulesPaused }' },
]

/** A process that lives answers soon, whether its subgraphs do or not. */
const PAUSES_PATIENCE_MS = 300

/** Facts for `/healthz` of a gateway without subgraphs of its own: what is paused in them, as far as it is known. */
export function pausedElsewhere(links: readonly SubgraphLink[]): () => Promise<object> {
  const paused = new Set<string>()
  const ask = async ({ subgraph, name, document }: (typeof PAUSES)[number]) => {
    const link = links.find((each) => each.name === subgraph)
    const answer = await link?.execute({ kind: 'query', document, variables: {} }, HEALTH_CHECK)
    if (!answer?.data) return
    if (answer.data.reason === null) paused.delete(name)
    else paused.add(name)
  }
  let asked: Promise<unknown> | undefined
  let askedAt = 0
  return async () => {
    if (!asked || performance.now() - askedAt > FRESH_MS) {
      asked = Promise.allSettled(PAUSES.map(ask))
      askedAt = performance.now()
    }
    await Promise.race([asked, delay(PAUSES_PATIENCE_MS, null, { ref: false })])
    return Object.fromEntries([...paused].map((name) => [name, 'paused']))
  }
}

/** Time for a subgraph to show that it is up, and its database with it. */
const PATIENCE_MS = 2_000
/** Probes within this time share an answer, so that frequent probes do not burden the subgraphs. */
const FRESH_MS = 1_000

/** Why each subgraph is down; null for one that is up. */
type Faults = Readonly<Record<string, string | null>>

/**
 * The process serves: 503 when no subgraph is up, and while it stops. A subgraph that is down takes down its own fields only:
 * then the status is `degraded`, and the body names it. The log has the reasons, whenever other subgraphs are down than before.
 */
export function readyz(
  links: () => readonly SubgraphLink[],
  isStopping: () => boolean,
  log: Logger,
  probes: Probes = {},
): Endpoint['handle'] {
  const note = changesLogged(log)
  let asked: Promise<Faults> | undefined
  let askedAt = 0
  return async () => {
    if (!asked || performance.now() - askedAt > FRESH_MS) {
      asked = faultsOf(links(), probes).then(note)
      askedAt = performance.now()
    }
    const faults = await asked
    const status = isStopping() ? 'stopping' : readinessOf(faults)
    const states = Object.entries(faults).map(([name, fault]) => [
      name,
      fault === null ? 'up' : 'down',
    ])
    return textResponse({
      status: status === 'ok' || status === 'degraded' ? 200 : 503,
      body: { status, subgraphs: Object.fromEntries(states) },
    })
  }
}

function readinessOf(faults: Faults): 'ok' | 'degraded' | 'unavailable' {
  const all = Object.values(faults)
  if (!all.includes(null)) return 'unavailable'
  return all.every((fault) => fault === null) ? 'ok' : 'degraded'
}

function changesLogged(log: Logger): (faults: Faults) => Faults {
  let before = ''
  return (faults) => {
    const down = Object.entries(faults).filter(([, fault]) => fault !== null)
    const names = down.map(([name]) => name).join()
    const status = readinessOf(faults)
    if (names !== before)
      log[status === 'ok' ? 'info' : 'warn'](
        { status, ...(names && { down: Object.fromEntries(down) }) },
        'Readiness changed',
      )
    before = names
    return faults
  }
}

async function faultsOf(links: readonly SubgraphLink[], probes: Probes): Promise<Faults> {
  const faults = links.map(async (link) => {
    const fault = faultOf(link, probes[link.name]).catch(reasonOf)
    const late = delay(PATIENCE_MS, `no answer within ${PATIENCE_MS} ms`, { ref: false })
    return [link.name, await Promise.race([fault, late])] as const
  })
  return Object.fromEntries(await Promise.all(faults))
}

/** A foreign subgraph may refuse a request without caller; it is up all the same. */
async function faultOf(link: SubgraphLink, probe: string | undefined): Promise<string | null> {
  if (probe === undefined && link.isUp)
    return (await link.isUp(HEALTH_CHECK)) ? null : 'it answers with 500 or more, or not at all'
  const document = probe ?? '{ __typename }'
  const { errors } = await link.execute({ kind: 'query', document, variables: {} }, HEALTH_CHECK)
  return errors ? errors.map(({ message }) => message).join() : null
}
