import type { FetchNode } from '@apollo/query-planner'
import { notedCharacters } from '../../../formats/json/json.ts'
import { FederationError } from '../errors.ts'
import type { LinkResult, PickedHeader, PlannedRequest, SubgraphLink } from '../links/link.ts'
import { cacheHintOf, mergedHint } from './cache-hints.ts'
import type { EntityFetch } from './entity-fetch.ts'
import { type EntityQuery, entityQueryOf } from './entity-query.ts'
import { errorsOf, report, reportAnswer, rootPathsOf, type Where } from './fetch-errors.ts'
import { copied, getOwn, isObject, type Json, mergeInto, setOwn } from './own.ts'
import type { PlanRun, Task } from './plan-run.ts'
import { leafKeysOf } from './requires.ts'
import {
  objectsAt,
  type Path,
  type PlanPath,
  pathsBelow,
  pathsOf,
  pathTranslator,
} from './response-path.ts'
import { applyRewrites } from './rewrites.ts'

/** A fetch of a plan; made once. */
export interface Fetch {
  node: EntityFetch
  /** Paths of its objects: fetches that differ in nothing else are one. */
  paths: readonly PlanPath[]
  /** Fields from which the representations of its entities follow, where these are keys of the entity alone. */
  leaves: readonly string[] | undefined
  /** For requests with other fetches. */
  query: EntityQuery | undefined
  translate: (path: Path) => Path
  /** For entities that do not hold all that the fetch requires. */
  parts: readonly Fetch[]
}

/** A fetch for all objects at any of the paths. */
export const fetchOf = (node: EntityFetch, paths: readonly PlanPath[]): Fetch => ({
  node,
  paths,
  leaves: leafKeysOf([...(node.requires ?? []), ...(node.required ?? [])]),
  query: node.requires && entityQueryOf(node),
  translate: pathTranslator(node),
  parts: node.parts?.map((part) => fetchOf(part, paths)) ?? [],
})

/** The request of a fetch, with those of the operation's variables that it uses. */
export function requestOf(run: Pick<PlanRun, 'variables'>, node: FetchNode): PlannedRequest {
  const variables: Json = {}
  for (const name of node.variableUsages ?? []) {
    const value = getOwn(run.variables, name)
    if (value !== undefined) setOwn(variables, name, value)
  }
  return { document: node.operation, variables, kind: node.operationKind }
}

/** A fetch of root fields, which are merged into the objects at a path. Faults become errors of the run. */
export function compileRootFetch(node: FetchNode, path: PlanPath): Task {
  const translate = pathTranslator(node)
  return async (run) => {
    const targets = path.length === 0 ? [run.data] : objectsAt(run.data, path)
    if (targets.length === 0) return
    const request = requestOf(run, node)
    let above: Path[] | undefined
    const pathsOfError = (errorPath: Path) => {
      above ??= pathsOf(run.data, path)
      return pathsBelow(above, translate(errorPath))
    }
    const data = await send(run, node, request, {
      pathsOf: pathsOfError,
      whole: () => rootPathsOf(node, request.variables, pathsOfError),
      others: () => [[]],
    })
    if (!isObject(data)) return
    run.characters += notedCharacters(data) * targets.length
    if (node.outputRewrites) applyRewrites(run.schema, node.outputRewrites, data)
    const copies = targets.slice(1).map(() => copied(data) as Json)
    for (const [index, target] of targets.entries())
      mergeInto(run.schema, target, copies[index - 1] ?? data)
  }
}

/**
 * Sends a request; its errors, and its failure, become errors of the run.
 * @param again what to do instead where the answer holds errors and no data; not in a subgraph that is overloaded
 */
export async function send(
  run: PlanRun,
  node: FetchNode,
  request: PlannedRequest,
  where: Where,
  again?: () => Promise<void>,
): Promise<unknown> {
  try {
    const link = run.link(node.serviceName)
    let answer: LinkResult
    try {
      answer = await link.execute(request, run.context)
    } finally {
      if (request.kind === 'mutation') run.changes.count++
      run.onAnswer?.()
    }
    const { data, errors, headers } = answer
    if (headers) takeHeaders(run, headers)
    const reported = errors == null ? [] : errorsOf(errors)
    if (isObject(data)) {
      if (reported.length > 0) await reportAnswer(run, node, reported, where)
      return data
    }
    if (reported.length === 0) throw new Error('The answer holds neither data nor errors')
    if (again && !reported.some(({ extensions }) => extensions?.code === 'OVERLOADED')) {
      await again()
      return null
    }
    await reportAnswer(run, node, reported, { ...where, others: where.whole })
    if (run.room >= 0) for (const path of where.whole()) run.lost.push(path)
  } catch (error) {
    if (error instanceof FederationError && error.code === 'OPERATION_LIMIT_EXCEEDED') run.room = -1
    report(run, node, error, where.whole())
  }
  return null
}

/** Several subgraphs may answer a header; each value of Set-Cookie is a header of its own. */
function takeHeaders(run: PlanRun, picked: readonly PickedHeader[]): void {
  for (const { name, value, combine } of picked) {
    if (combine === 'hint') {
      run.hint = mergedHint(run.hint, cacheHintOf(value))
      continue
    }
    run.headers ??= new Map()
    const known = run.headers.get(name)
    if (known !== undefined && combine === 'first') continue
    const isAdded = known !== undefined && combine === 'append'
    if (name === 'set-cookie') run.headers.set(name, isAdded ? [...[known].flat(), value] : [value])
    else run.headers.set(name, isAdded ? `${known}, ${value}` : value)
  }
}

/** Finds the links of a supergraph by name. @throws FederationError INTERNAL_SERVER_ERROR where there is none */
export function linkOf(links: readonly SubgraphLink[]): PlanRun['link'] {
  const byName = new Map(links.map((link) => [link.name, link]))
  return (name) => {
    const found = byName.get(name)
    if (found) return found
    throw new FederationError(
      'INTERNAL_SERVER_ERROR',
      `The supergraph names the unknown subgraph ${name}`,
    )
  }
}
