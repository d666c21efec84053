import type { FetchNode, ResponsePath } from '@apollo/query-planner'
import { GraphQLError } from 'graphql'
import { AppError } from '../../../schema/errors.ts'
import type { PlannedRequest } from '../../links/link.ts'
import { commonPlaceOf, pathTranslator, placesOf } from './error-places.ts'
import { mergeInto } from './merge.ts'
import { copied, getOwn, isObject, type Json } from './own.ts'
import type { PlanRun, Task } from './plan-run.ts'
import { representationOf } from './representation.ts'
import { objectsAt, type Path } from './response-path.ts'
import { applyRewrites, isPassedOver } from './rewrites.ts'

/** What the parts of a fetch share; made once for each fetch of a plan. */
interface Fetch {
  node: FetchNode
  path: ResponsePath
  translate: (path: Path) => Path
}

/** A fetch for all objects at `path` that merges what comes back into them. Faults become errors of the run. */
export function compileFetch(node: FetchNode, path: ResponsePath): Task {
  const fetch: Fetch = { node, path, translate: pathTranslator(node) }
  const perform = node.requires ? fetchEntities : fetchRoot
  return async (run) => {
    const targets = objectsAt(run.data, path)
    if (targets.length > 0) await perform(run, fetch, targets)
  }
}

async function fetchRoot(run: PlanRun, fetch: Fetch, targets: Json[]): Promise<void> {
  const { node, path, translate } = fetch
  const data = await send(run, fetch, requestOf(run, node), (errorPath) => {
    const rest = translate(errorPath)
    return placesOf(run.data, path, () => true).map((place) => [...place, ...rest])
  })
  if (!isObject(data)) return
  applyRewrites(run.schema, node.outputRewrites, data)
  for (const [index, target] of targets.entries())
    mergeInto(target, index === 0 ? data : (copied(data) as Json))
}

/** Equal entities are asked for once, however often they stand in the response. */
async function fetchEntities(run: PlanRun, fetch: Fetch, targets: Json[]): Promise<void> {
  const { node, path, translate } = fetch
  const representations: Json[] = []
  const indexOf = new Map<string, number>()
  const typeNames: unknown[] = []
  const positions = new Map<Json, number>()
  for (const target of targets) {
    const representation = representationOf(run.schema, target, node.requires ?? [])
    if (!representation || typeof getOwn(representation, '__typename') !== 'string') continue
    if (node.inputRewrites) {
      applyRewrites(run.schema, node.inputRewrites, representation)
      if (isPassedOver(run.schema, node.inputRewrites, representation)) continue
    }
    const identity = JSON.stringify(representation)
    const known = indexOf.get(identity)
    positions.set(target, known ?? representations.length)
    if (known !== undefined) continue
    indexOf.set(identity, representations.length)
    representations.push(representation)
    typeNames.push(getOwn(target, '__typename'))
  }
  if (representations.length === 0) return

  const request = requestOf(run, node, { representations })
  const data = await send(run, fetch, request, ([, index, ...rest]) => {
    if (typeof index !== 'number') return [commonPlaceOf(path)]
    const below = translate(rest)
    const isMeant = (object: Json) => positions.get(object) === index
    return placesOf(run.data, path, isMeant).map((place) => [...place, ...below])
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
    if (isObject(entity)) mergeInto(target, used.has(index) ? (copied(entity) as Json) : entity)
    used.add(index)
  }
}

/** The request of a fetch, with those of the operation's variables that it uses. */
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

/** Sends a request; its errors, and its failure, become errors of the run at the places that `places` names. */
async function send(
  run: PlanRun,
  fetch: Fetch,
  request: PlannedRequest,
  places: (errorPath: Path) => Path[],
): Promise<unknown> {
  try {
    const { data, errors } = await run.link(fetch.node.serviceName).execute(request, run.context)
    for (const { message, path: errorPath, extensions } of errors ?? [])
      for (const path of errorPath ? places(errorPath) : [undefined])
        run.errors.push(subgraphError(message, path, extensions))
    return data
  } catch (error) {
    report(run, fetch, error)
    return null
  }
}

/** A subgraph's error as clients see it: its code passes; stack traces and addresses that it may add do not. */
export const subgraphError = (
  message: string,
  path: Path | undefined,
  extensions: Json | undefined,
): GraphQLError =>
  new GraphQLError(message, {
    path: path?.length ? path : undefined,
    extensions: {
      code: typeof extensions?.code === 'string' ? extensions.code : 'DOWNSTREAM_SERVICE_ERROR',
    },
  })

function report(run: PlanRun, { node, path }: Fetch, error: unknown): void {
  if (error instanceof AppError) {
    run.errors.push(subgraphError(error.message, commonPlaceOf(path), error.extensions))
    return
  }
  const { requestId } = run.context.caller
  run.log.error({ err: error, subgraph: node.serviceName, requestId }, 'A fetch failed')
  const message = `The subgraph ${node.serviceName} failed`
  run.errors.push(subgraphError(message, commonPlaceOf(path), undefined))
}
