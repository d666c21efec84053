import { notedCharacters } from '../../../formats/json/json.ts'
import { entitiesRequest, type PlannedRequest } from '../links/link.ts'
import type { Ask } from './ask.ts'
import { requestOf, send } from './fetch.ts'
import { report } from './fetch-errors.ts'
import { aliasOf, mergedRequest } from './merged-request.ts'
import { copied, getOwn, isObject, mergeInto } from './own.ts'
import type { PlanRun } from './plan-run.ts'
import { commonPathOf, eachAt, knownStep, type Path, pathsBelow } from './response-path.ts'
import { applyRewrites } from './rewrites.ts'

/** Requests are merged up to this length: subgraphs limit bodies, and a longer one hardly gains. */
const MAX_MERGED_CHARACTERS = 65_536

/** Asks one subgraph for entities, in one request where the fetches allow it. */
export async function fetchEntities(run: PlanRun, asks: readonly Ask[]): Promise<void> {
  if (asks.length === 0) return
  if (asks.length === 1 && asks[0]) return fetchOne(run, asks[0])
  await Promise.all(
    packed(asks).map((pack) =>
      pack.length === 1 && pack[0] ? fetchOne(run, pack[0]) : fetchMerged(run, pack),
    ),
  )
}

/** Asks that go into one request each. */
function packed(asks: readonly Ask[]): Ask[][] {
  const packs: Ask[][] = []
  let room = 0
  for (const ask of asks) {
    const { query } = ask.fetch
    room -= ask.text().length + (ask.values && query ? query.selection.length : 0)
    if (query && room >= 0) packs.at(-1)?.push(ask)
    else {
      packs.push([ask])
      room = query ? MAX_MERGED_CHARACTERS - ask.text().length : 0
    }
  }
  return packs
}

async function fetchOne(run: PlanRun, ask: Ask): Promise<void> {
  const { fetch, representations, text, values } = ask
  const planned = requestOf(run, fetch.node)
  const request = entitiesRequest(
    values ? { ...planned, variables: { ...planned.variables, ...values } } : planned,
    representations,
    text,
  )
  await exchange(run, [ask], request, ['_entities'])
}

/** A request without data is repeated in its parts: what is wrong with one is no reason to lose the others. */
async function fetchMerged(run: PlanRun, asks: readonly Ask[]): Promise<void> {
  const keys = asks.map((_, index) => aliasOf(index))
  const again = async () => void (await Promise.all(asks.map((ask) => fetchOne(run, ask))))
  await exchange(run, asks, mergedRequest(run, asks), keys, again)
}

/** @param keys where the data have the entities of each ask */
async function exchange(
  run: PlanRun,
  asks: readonly Ask[],
  request: PlannedRequest,
  keys: readonly string[],
  again?: () => Promise<void>,
): Promise<void> {
  const [{ fetch }] = asks as [Ask]
  const placesOf = new Map<Ask, ReadonlyMap<unknown, Path[]>>()
  const pathsOfError = ([key, index, ...rest]: Path): Iterable<Path> | undefined => {
    const ask = asks[keys.indexOf(String(key))]
    if (!ask || typeof index !== 'number') return ask && commonPathsOf(ask)
    const places = placesOf.get(ask) ?? placesByIndex(run, ask)
    placesOf.set(ask, places)
    const above = places.get(index)
    return above && pathsBelow(above, ask.fetch.translate(rest))
  }
  const whole = () => asks.flatMap(commonPathsOf)
  const where = { pathsOf: pathsOfError, whole, others: whole }
  const data = await send(run, fetch.node, request, where, again)
  if (!isObject(data)) return countAll(run)
  // An entity may stand in several places of the response.
  const repeats = asks.map(
    ({ objects, representations }) => objects.length - representations.length,
  )
  run.characters += notedCharacters(data) * (1 + Math.max(...repeats))
  for (const [index, ask] of asks.entries()) take(run, ask, getOwn(data, keys[index] ?? ''))
}

/** No answer says how many characters the nulls have that stand for what is missing: the response is counted itself. */
const countAll = (run: PlanRun): void => {
  run.characters = Number.POSITIVE_INFINITY
}

/** Common path of the objects of a fetch, for each of its paths. */
const commonPathsOf = ({ fetch }: Ask): Path[] => fetch.paths.map(commonPathOf)

/** Places of the entities of an ask in the response, by the index of each: an error in one stands wherever that does. */
function placesByIndex(run: PlanRun, { fetch, objects, indexes }: Ask): Map<unknown, Path[]> {
  const indexOf = new Map(objects.map((object, nth) => [object, indexes[nth]]))
  const places = new Map<unknown, Path[]>()
  for (const path of fetch.paths)
    eachAt(run.data, path, (object, position) => {
      const index = indexOf.get(object)
      if (index === undefined) return
      const above = position.map(knownStep)
      const known = places.get(index)
      if (known) known.push(above)
      else places.set(index, [above])
    })
  return places
}

function take(run: PlanRun, ask: Ask, entities: unknown): void {
  const { fetch, representations, typeNames, objects, indexes } = ask
  if (!Array.isArray(entities) || entities.length !== representations.length) {
    const error = new Error('The answer does not hold one entity for each representation')
    report(run, fetch.node, error, commonPathsOf(ask))
    countAll(run)
    return
  }
  const { outputRewrites } = fetch.node
  if (outputRewrites)
    for (const [index, entity] of entities.entries())
      applyRewrites(run.schema, outputRewrites, entity, typeNames[index])
  const isTaken: boolean[] = []
  objects.forEach((object, nth) => {
    const index = indexes[nth] ?? -1
    const entity: unknown = isTaken[index] ? copied(entities[index]) : entities[index]
    if (isObject(entity)) mergeInto(run.schema, object, entity)
    else countAll(run)
    isTaken[index] = true
  })
}
