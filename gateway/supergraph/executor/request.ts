import type { FetchNode, ResponsePath } from '@apollo/query-planner'
import { GraphQLError } from 'graphql'
import { AppError } from '../../../schema/errors.ts'
import type { PlannedRequest } from '../../links/link.ts'
import type { EntityFetch } from '../planning/entity-fetch.ts'
import { commonPlaceOf } from './error-places.ts'
import { getOwn, type Json } from './own.ts'
import type { PlanRun } from './plan-run.ts'
import type { Path } from './response-path.ts'

/** A fetch of a plan; made once. */
export interface Fetch {
  node: EntityFetch
  path: ResponsePath
  translate: (path: Path) => Path
  /** For entities that do not hold all that the fetch requires. */
  parts: readonly Fetch[]
}

/** The request of a fetch, with those of the operation's variables that it uses. */
export function requestOf(run: Pick<PlanRun, 'variables'>, node: FetchNode): PlannedRequest {
  const variables: Json = {}
  for (const name of node.variableUsages ?? []) {
    const value = getOwn(run.variables, name)
    if (value !== undefined) variables[name] = value
  }
  return { document: node.operation, variables, kind: node.operationKind }
}

/** Sends a request; its errors, and its failure, become errors of the run at the places that `places` names. */
export async function send(
  run: PlanRun,
  fetch: Fetch,
  request: PlannedRequest,
  places: (errorPath: Path) => Path[],
): Promise<unknown> {
  try {
    const link = run.link(fetch.node.serviceName)
    const answer = run.fetches.execute(link, request, run.context)
    const { data, errors } = await (run.onAnswer ? answer.finally(run.onAnswer) : answer)
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

/** A failure of a whole fetch becomes one error, at what all its objects have in common. */
export function report(run: PlanRun, { node, path }: Fetch, error: unknown): void {
  if (error instanceof AppError) {
    run.errors.push(subgraphError(error.message, commonPlaceOf(path), error.extensions))
    return
  }
  const { requestId } = run.context.caller
  run.log.error({ err: error, subgraph: node.serviceName, requestId }, 'A fetch failed')
  const message = `The subgraph ${node.serviceName} failed`
  run.errors.push(subgraphError(message, commonPlaceOf(path), undefined))
}
