import type { ResponsePath } from '@apollo/query-planner'
import { entitiesRequest } from '../links/link.ts'
import type { EntityFetch } from './entity-fetch.ts'
import { commonPathOf, pathsOf, pathTranslator } from './error-paths.ts'
import { mergeInto } from './merge.ts'
import { copied, getOwn, isObject, type Json } from './own.ts'
import type { PlanRun, Task } from './plan-run.ts'
import { holdsKey, representationOf } from './representation.ts'
import { type Fetch, report, requestOf, send } from './request.ts'
import { objectsAt } from './response-path.ts'
import { applyRewrites, isPassedOver } from './rewrites.ts'

/** A fetch for all objects at `path` that merges what comes back into them. Faults become errors of the run. */
export function compileFetch(node: EntityFetch, path: ResponsePath): Task {
  const fetch = fetchOf(node, path)
  const perform = node.requires ? fetchEntities : fetchRoot
  return async (run) => {
    const targets = objectsAt(run.data, path)
    if (targets.length > 0) await perform(run, fetch, targets)
  }
}

const fetchOf = (node: EntityFetch, path: ResponsePath): Fetch => ({
  node,
  path,
  translate: pathTranslator(node),
  parts: node.parts?.map((part) => fetchOf(part, path)) ?? [],
})

async function fetchRoot(run: PlanRun, fetch: Fetch, targets: Json[]): Promise<void> {
  const { node, path, translate } = fetch
  const data = await send(run, fetch, requestOf(run, node), (errorPath) => {
    const rest = translate(errorPath)
    return pathsOf(run.data, path, () => true).map((above) => [...above, ...rest])
  })
  if (!isObject(data)) return
  applyRewrites(run.schema, node.outputRewrites, data)
  for (const [index, target] of targets.entries())
    mergeInto(run.schema, target, index === 0 ? data : (copied(data) as Json))
}

/** Entities that do not hold all that is required get the fields for which they hold enough. */
async function fetchEntities(run: PlanRun, fetch: Fetch, targets: Json[]): Promise<void> {
  const lacking: Json[] = []
  await Promise.all([
    fetchWhole(run, fetch, targets, lacking),
    ...(lacking.length > 0 ? fetch.parts.map((part) => fetchWhole(run, part, lacking)) : []),
  ])
}

/**
 * Equal entities are asked for once, however often they stand in the response.
 * @param lacking receives, before the fetch is sent, the representations without required fields
 */
async function fetchWhole(
  run: PlanRun,
  fetch: Fetch,
  targets: readonly Json[],
  lacking: Json[] = [],
): Promise<void> {
  const { node, path, translate } = fetch
  const representations: Json[] = []
  const indexOf = new Map<string, number>()
  const typeNames: unknown[] = []
  const positions = new Map<Json, number>()
  for (const target of targets) {
    const representation = representationOf(run.schema, target, node.requires ?? [], node.keys)
    if (!representation || typeof getOwn(representation, '__typename') !== 'string') {
      lacking.push(target)
      continue
    }
    if (node.inputRewrites) {
      applyRewrites(run.schema, node.inputRewrites, representation)
      if (isPassedOver(run.schema, node.inputRewrites, representation)) continue
    }
    if (node.keys && !holdsKey(node.keys, representation)) continue
    const text = JSON.stringify(representation)
    const known = indexOf.get(text)
    positions.set(target, known ?? representations.length)
    if (known !== undefined) continue
    indexOf.set(text, representations.length)
    representations.push(representation)
    typeNames.push(getOwn(target, '__typename'))
  }
  if (representations.length === 0) return

  const request = entitiesRequest(requestOf(run, node), representations, [...indexOf.keys()])
  const data = await send(run, fetch, request, ([, index, ...rest]) => {
    if (typeof index !== 'number') return [commonPathOf(path)]
    const below = translate(rest)
    const isMeant = (object: Json) => positions.get(object) === index
    return pathsOf(run.data, path, isMeant).map((above) => [...above, ...below])
  })
  if (data == null) return
  const entities = isObject(data) ? getOwn(data, '_entities') : undefined
  if (!Array.isArray(entities) || entities.length !== representations.length) {
    report(run, fetch, new Error('The answer does not hold one entity for each representation'))
    return
  }
  for (const [index, entity] of entities.entries())
    applyRewrites(run.schema, node.outputRewrites, entity, typeNames[index])
  const used = new Set<number>()
  for (const [target, index] of positions) {
    const entity: unknown = entities[index]
    if (isObject(entity))
      mergeInto(run.schema, target, used.has(index) ? (copied(entity) as Json) : entity)
    used.add(index)
  }
}
