import type { ResponsePath } from '@apollo/query-planner'
import { asksOf } from './ask.ts'
import { fetchEntities } from './entities.ts'
import type { EntityFetch } from './entity-fetch.ts'
import { entityQueryOf } from './entity-query.ts'
import { pathsOf, pathTranslator } from './error-paths.ts'
import { mergeInto } from './merge.ts'
import { isObject, type Json } from './own.ts'
import type { PlanRun, Task } from './plan-run.ts'
import { type Fetch, requestOf, rootPathsOf, send } from './request.ts'
import { leafKeysOf } from './requires.ts'
import { objectsAt, type Path } from './response-path.ts'
import { applyRewrites } from './rewrites.ts'

/** A fetch for all objects at `path` that merges what comes back into them. Faults become errors of the run. */
export function compileFetch(node: EntityFetch, path: ResponsePath): Task {
  const fetch = fetchOf(node, [path])
  const perform = node.requires
    ? (run: PlanRun, targets: Json[]) => fetchEntities(run, asksOf(run, fetch, targets))
    : (run: PlanRun, targets: Json[]) => fetchRoot(run, fetch, path, targets)
  return async (run) => {
    const targets = objectsAt(run.data, path)
    if (targets.length > 0) await perform(run, targets)
  }
}

/** A fetch for all objects at any of the paths. */
export const fetchOf = (node: EntityFetch, paths: readonly ResponsePath[]): Fetch => ({
  node,
  paths,
  leaves: leafKeysOf(node.requires ?? []),
  query: node.requires && entityQueryOf(node),
  translate: pathTranslator(node),
  parts: node.parts?.map((part) => fetchOf(part, paths)) ?? [],
})

async function fetchRoot(
  run: PlanRun,
  fetch: Fetch,
  path: ResponsePath,
  targets: Json[],
): Promise<void> {
  const { node, translate } = fetch
  const request = requestOf(run, node)
  const pathsOfError = (errorPath: Path) => {
    const rest = translate(errorPath)
    return pathsOf(run.data, path, () => true).map((above) => [...above, ...rest])
  }
  const data = await send(run, fetch, request, {
    pathsOf: pathsOfError,
    whole: () => rootPathsOf(node, request, pathsOfError),
    others: () => [[]],
  })
  if (!isObject(data)) return
  applyRewrites(run.schema, node.outputRewrites, data)
  for (const [index, target] of targets.entries()) mergeInto(run.schema, target, data, index > 0)
}
