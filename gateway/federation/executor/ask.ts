import { getOwn, type Json } from './own.ts'
import type { PlanRun } from './plan-run.ts'
import { holdsKey, representationOf } from './representation.ts'
import type { Fetch } from './request.ts'
import { applyRewrites, isPassedOver } from './rewrites.ts'

/** The entities that one fetch asks for. */
export interface Ask {
  fetch: Fetch
  representations: Json[]
  /** The same as JSON. */
  texts: string[]
  /** Their types in the response. */
  typeNames: unknown[]
  /** Object of the response → its representation. */
  positions: Map<Json, number>
}

/** What a fetch asks for. Entities that do not hold all that is required are asked for what they hold enough for. */
export function asksOf(run: PlanRun, fetch: Fetch, targets: readonly Json[]): Ask[] {
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
  const { node } = fetch
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
  return { fetch, representations, texts: [...indexOf.keys()], typeNames, positions }
}
