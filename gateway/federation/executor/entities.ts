import { entitiesRequest, type PlannedRequest } from '../links/link.ts'
import type { Ask } from './ask.ts'
import { commonPathOf, pathsOf } from './error-paths.ts'
import { mergeInto } from './merge.ts'
import { mergedRequest, placeOf } from './merged-request.ts'
import { getOwn, isObject, type Json } from './own.ts'
import type { PlanRun } from './plan-run.ts'
import { report, requestOf, send } from './request.ts'
import type { Path } from './response-path.ts'
import { applyRewrites } from './rewrites.ts'

/** Requests are merged up to this length: subgraphs limit bodies, and a longer one hardly gains. */
const MAX_MERGED_CHARACTERS = 65_536

/** Asks one subgraph for entities, in one request where the fetches allow it. */
export async function fetchEntities(run: PlanRun, asks: readonly Ask[]): Promise<void> {
  if (asks.length === 1 && asks[0]) return fetchOne(run, asks[0])
  const isMerged =
    asks.length > 0 &&
    asks.every(({ fetch }) => fetch.query) &&
    lengthOf(asks) <= MAX_MERGED_CHARACTERS
  if (isMerged) return fetchMerged(run, asks)
  await Promise.all(asks.map((ask) => fetchOne(run, ask)))
}

const lengthOf = (asks: readonly Ask[]): number => {
  let length = 0
  for (const { texts } of asks) for (const text of texts) length += text.length
  return length
}

async function fetchOne(run: PlanRun, ask: Ask): Promise<void> {
  const { fetch, representations, texts } = ask
  const request = entitiesRequest(requestOf(run, fetch.node), representations, texts)
  await exchange(run, [ask], request, ['_entities'])
}

/** A request without data is repeated in its parts: what is wrong with one is no reason to lose the others. */
async function fetchMerged(run: PlanRun, asks: readonly Ask[]): Promise<void> {
  const places = asks.map((_, index) => placeOf(index))
  const again = async () => void (await Promise.all(asks.map((ask) => fetchOne(run, ask))))
  await exchange(run, asks, mergedRequest(run, asks), places, again)
}

/** @param places the key in the data of each ask */
async function exchange(
  run: PlanRun,
  asks: readonly Ask[],
  request: PlannedRequest,
  places: readonly string[],
  again?: () => Promise<void>,
): Promise<void> {
  const [{ fetch }] = asks as [Ask]
  const pathsOfError = ([place, index, ...rest]: Path): Path[] => {
    const ask = asks[places.indexOf(String(place))]
    return ask ? pathsBelow(run, ask, index, rest) : []
  }
  const whole = () => asks.flatMap(commonPathsOf)
  const where = { pathsOf: pathsOfError, whole, others: whole }
  const data = await send(run, fetch, request, where, again)
  if (!isObject(data)) return
  for (const [index, ask] of asks.entries()) take(run, ask, getOwn(data, places[index] ?? ''))
}

/** What the objects of a fetch have in common, for each of its paths. */
const commonPathsOf = ({ fetch }: Ask): Path[] => fetch.paths.map(commonPathOf)

/** Where an error in an entity stands in the response: wherever the entity does. */
function pathsBelow(run: PlanRun, ask: Ask, index: Path[number] | undefined, rest: Path): Path[] {
  const { fetch, positions } = ask
  if (typeof index !== 'number') return commonPathsOf(ask)
  const below = fetch.translate(rest)
  const isMeant = (object: Json) => positions.get(object) === index
  return fetch.paths.flatMap((path) =>
    pathsOf(run.data, path, isMeant).map((above) => [...above, ...below]),
  )
}

function take(run: PlanRun, ask: Ask, entities: unknown): void {
  const { fetch, representations, typeNames, positions } = ask
  if (!Array.isArray(entities) || entities.length !== representations.length) {
    const error = new Error('The answer does not hold one entity for each representation')
    report(run, fetch.node, error, commonPathsOf(ask))
    return
  }
  for (const [index, entity] of entities.entries())
    applyRewrites(run.schema, fetch.node.outputRewrites, entity, typeNames[index])
  const used = new Set<number>()
  for (const [target, index] of positions) {
    const entity: unknown = entities[index]
    if (isObject(entity)) mergeInto(run.schema, target, entity, used.has(index))
    used.add(index)
  }
}
