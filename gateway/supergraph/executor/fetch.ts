import type { FetchNode, ResponsePath } from '@apollo/query-planner'
import { GraphQLError } from 'graphql'
import { AppError } from '../../../schema/errors.ts'
import type { PlannedRequest } from '../../links/link.ts'
import { getOwn, isObject, type Json, mergeInto } from './own.ts'
import type { PlanRun } from './plan-run.ts'
import { representationOf } from './representation.ts'
import { objectsAt, type Path, pathsAt } from './response-path.ts'
import { applyRewrites } from './rewrites.ts'

/** Runs one fetch for all objects at `path` and merges what comes back into them. Faults become errors of the run. */
export async function runFetch(run: PlanRun, node: FetchNode, path: ResponsePath): Promise<void> {
  const targets = objectsAt(run.data, path)
  if (targets.length === 0) return
  if (node.requires) await fetchEntities(run, node, path, targets)
  else await fetchRoot(run, node, path, targets)
}

async function fetchRoot(
  run: PlanRun,
  node: FetchNode,
  path: ResponsePath,
  targets: Json[],
): Promise<void> {
  const data = await send(run, node, requestOf(run, node), (errorPath) =>
    pathsAt(run.data, path).map((position) => [...position, ...errorPath]),
  )
  if (!isObject(data)) return
  applyRewrites(run.schema, node.outputRewrites, data)
  for (const target of targets) mergeInto(target, data)
}

/** Equal entities are asked for once, however often they stand in the response. */
async function fetchEntities(
  run: PlanRun,
  node: FetchNode,
  path: ResponsePath,
  targets: Json[],
): Promise<void> {
  const representations: Json[] = []
  const indexOf = new Map<string, number>()
  const positions = targets.map((target) => {
    const representation = representationOf(run.schema, target, node.requires ?? [])
    if (!representation || typeof getOwn(representation, '__typename') !== 'string') return -1
    applyRewrites(run.schema, node.inputRewrites, representation)
    const identity = JSON.stringify(representation)
    const known = indexOf.get(identity)
    if (known !== undefined) return known
    indexOf.set(identity, representations.length)
    return representations.push(representation) - 1
  })
  if (representations.length === 0) return

  const placesOf = (index: unknown, rest: Path) =>
    pathsAt(run.data, path)
      .filter((_, target) =>
        typeof index === 'number' ? positions[target] === index : positions[target] !== -1,
      )
      .map((position) => [...position, ...rest])
  const data = await send(
    run,
    node,
    requestOf(run, node, { representations }),
    ([, index, ...rest]) => placesOf(index, rest),
  )
  if (data == null) return
  const entities = isObject(data) ? getOwn(data, '_entities') : undefined
  if (!Array.isArray(entities) || entities.length !== representations.length) {
    report(
      run,
      node,
      placesOf(undefined, []),
      new Error('The answer does not hold one entity for each representation'),
    )
    return
  }
  for (const entity of entities) applyRewrites(run.schema, node.outputRewrites, entity)
  for (const [target, object] of targets.entries()) {
    const entity: unknown = entities[positions[target] ?? -1]
    if (isObject(entity)) mergeInto(object, entity)
  }
}

export function requestOf(
  run: Pick<PlanRun, 'variables'>,
  node: FetchNode,
  extra: Json = {},
): PlannedRequest {
  const variables: Json = { ...extra }
  for (const name of node.variableUsages ?? []) {
    const value = getOwn(run.variables, name)
    if (value !== undefined) variables[name] = value
  }
  return { document: node.operation, variables, kind: node.operationKind }
}

/** Sends a request; its errors, and its failure, become errors of the run at the places that `placesOf` names. */
async function send(
  run: PlanRun,
  node: FetchNode,
  request: PlannedRequest,
  placesOf: (errorPath: Path) => Path[],
): Promise<unknown> {
  try {
    const { data, errors } = await run.link(node.serviceName).execute(request, run.context)
    for (const error of errors ?? []) {
      for (const path of error.path ? placesOf(error.path) : [undefined])
        run.errors.push(
          new GraphQLError(error.message, { path, extensions: safeExtensions(error.extensions) }),
        )
    }
    return data
  } catch (error) {
    report(run, node, placesOf([]), error)
    return null
  }
}

/** A subgraph's code passes; stack traces and addresses that it may add do not. */
export const safeExtensions = (extensions: Json | undefined): Json => ({
  code: typeof extensions?.code === 'string' ? extensions.code : 'DOWNSTREAM_SERVICE_ERROR',
})

function report(run: PlanRun, node: FetchNode, places: Path[], error: unknown): void {
  const known = error instanceof AppError
  if (!known)
    run.log.error(
      { err: error, subgraph: node.serviceName, requestId: run.context.caller.requestId },
      'A fetch failed',
    )
  for (const path of places)
    run.errors.push(
      new GraphQLError(known ? error.message : `The subgraph ${node.serviceName} failed`, {
        path: path.length > 0 ? path : undefined,
        extensions: { code: known ? error.code : 'DOWNSTREAM_SERVICE_ERROR' },
      }),
    )
}
