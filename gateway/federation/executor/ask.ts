import { byContext } from './contexts.ts'
import type { Fetch } from './fetch.ts'
import { getOwn, type Json, mergeInto } from './own.ts'
import type { PlanRun } from './plan-run.ts'
import { holdsKey, representationOf } from './representation.ts'
import { objectsAt } from './response-path.ts'
import { applyRewrites, isPassedOver } from './rewrites.ts'

/** The entities that one fetch asks for. */
export interface Ask {
  fetch: Fetch
  representations: Json[]
  /** The same as JSON, without its brackets; made once. */
  text(): string
  /** Their types in the response, where answers are rewritten by them. */
  typeNames: unknown[]
  /** The objects of the response that it asks for. */
  objects: readonly Json[]
  /** Index of the representation of each object. */
  indexes: number[]
  /** Values of variables that hold for these entities alone. */
  values?: Json
}

/** Requests of a fetch. Entities that do not hold all that is required are asked for what they hold enough for. */
export function asksOf(run: PlanRun, fetch: Fetch): Ask[] {
  const { contextRewrites } = fetch.node
  if (contextRewrites?.length)
    return byContext(run, fetch.paths, contextRewrites).flatMap(({ targets, values }) =>
      asksFor(run, fetch, targets).map((ask) => ({ ...ask, values })),
    )
  const targets: Json[] = []
  for (const path of fetch.paths) objectsAt(run.data, path, targets)
  return targets.length === 0 ? [] : asksFor(run, fetch, targets)
}

function asksFor(run: PlanRun, fetch: Fetch, targets: readonly Json[]): Ask[] {
  const lacking: Json[] = []
  const asks = [askOf(run, fetch, targets, lacking)]
  if (lacking.length > 0) for (const part of fetch.parts) asks.push(askOf(run, part, lacking, []))
  return asks.filter(({ representations }) => representations.length > 0)
}

/**
 * Equal entities are asked for once, however often they stand in the response.
 * @param lacking receives the objects without required fields
 */
function askOf(run: PlanRun, fetch: Fetch, targets: readonly Json[], lacking: Json[]): Ask {
  const representations: Json[] = []
  const texts = new Map<string, number>()
  const typeNames: unknown[] = []
  const { leaves } = fetch
  const find = (target: Json): number | typeof LACKING | typeof PASSED_OVER => {
    const representation = representationFor(run, fetch, target)
    if (typeof representation === 'symbol') return representation
    const index = representations.length
    if (!leaves) {
      const text = JSON.stringify(representation)
      const known = texts.get(text)
      if (known !== undefined) return known
      texts.set(text, index)
    }
    if (fetch.node.outputRewrites) typeNames.push(getOwn(target, '__typename'))
    representations.push(representation)
    return index
  }
  const found = targets.map(leaves ? rememberedBy(leaves, find) : find)
  const isAsked = (_: unknown, nth: number) => typeof found[nth] === 'number'
  const areAll = found.every(isAsked)
  if (!areAll)
    for (const [nth, target] of targets.entries()) if (found[nth] === LACKING) lacking.push(target)
  let made: string | undefined
  const text = () => {
    made ??= leaves ? JSON.stringify(representations).slice(1, -1) : [...texts.keys()].join(',')
    return made
  }
  return {
    ...{ fetch, representations, text, typeNames },
    objects: areAll ? targets : targets.filter(isAsked),
    indexes: found.filter((index) => typeof index === 'number'),
  }
}

const LACKING = Symbol('lacks a required field')
const PASSED_OVER = Symbol('is not asked for')

function representationFor(
  { schema }: PlanRun,
  { node }: Fetch,
  target: Json,
): Json | typeof LACKING | typeof PASSED_OVER {
  const representation = representationOf(schema, target, node.requires ?? [], true)
  const required = representationOf(schema, target, node.required ?? [])
  if (!representation || !required || typeof getOwn(representation, '__typename') !== 'string')
    return LACKING
  mergeInto(schema, representation, required)
  if (node.inputRewrites) {
    applyRewrites(schema, node.inputRewrites, representation)
    if (isPassedOver(schema, node.inputRewrites, representation)) return PASSED_OVER
  }
  return node.keys && !holdsKey(node.keys, representation) ? PASSED_OVER : representation
}

/** Values of the first keys → those of the others → what was found for objects with these values. */
type ByKeys<Result> = Map<unknown, ByKeys<Result> | Result>

/** Finds the same for objects with the same values: most objects of a large response are one of few entities. */
function rememberedBy<Result extends number | symbol>(
  keys: readonly string[],
  find: (target: Json) => Result,
): (target: Json) => Result {
  const root: ByKeys<Result> = new Map()
  const last = keys.length - 1
  return (target) => {
    let at = root
    for (let index = 0; index < last; index++) {
      const value = getOwn(target, keys[index] ?? '')
      const next = at.get(value)
      if (next instanceof Map) at = next
      else {
        const made: ByKeys<Result> = new Map()
        at.set(value, made)
        at = made
      }
    }
    const value = getOwn(target, keys[last] ?? '')
    const known = at.get(value)
    if (known !== undefined && !(known instanceof Map)) return known
    const found = find(target)
    at.set(value, found)
    return found
  }
}
