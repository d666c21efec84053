import type { FetchNode, ResponsePath } from '@apollo/query-planner'
import { GraphQLError } from 'graphql'
import { codedExtensions, FederationError, isCoded } from '../errors.ts'
import type { PlannedRequest } from '../links/link.ts'
import { type AnswerError, errorsOf } from './answer-errors.ts'
import type { EntityFetch } from './entity-fetch.ts'
import type { EntityQuery } from './entity-query.ts'
import { getOwn, isObject, type Json } from './own.ts'
import type { PlanRun } from './plan-run.ts'
import { type Redact, redactAll, redactorOf } from './redact.ts'
import type { Path } from './response-path.ts'
import { rootKeysOf } from './root-keys.ts'

/** A fetch of a plan; made once. */
export interface Fetch {
  node: EntityFetch
  /** Where its objects stand: fetches that differ in nothing else are one. */
  paths: readonly ResponsePath[]
  /** What the representations of its entities follow from, where these are keys of the entity alone. */
  leaves: readonly string[] | undefined
  /** For requests with other fetches. */
  query: EntityQuery | undefined
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

/**
 * Sends a request; its errors, and its failure, become errors of the run.
 * @param again what to do instead where the answer holds errors and no data; not in a subgraph that is overloaded
 */
export async function send(
  run: PlanRun,
  { node }: Fetch,
  request: PlannedRequest,
  where: Where,
  again?: () => Promise<void>,
): Promise<unknown> {
  try {
    const link = run.link(node.serviceName)
    const answer = run.fetches.execute(link, request, run.context)
    const { data, errors } = await (run.onAnswer ? answer.finally(run.onAnswer) : answer)
    const reported = errorsOf(errors)
    if (isObject(data)) {
      if (reported.length > 0) take(run, node, reported, where)
      return data
    }
    if (reported.length === 0) throw new Error('The answer holds neither data nor errors')
    if (again && !reported.some(({ extensions }) => extensions?.code === 'OVERLOADED')) {
      await again()
      return null
    }
    take(run, node, reported, { ...where, others: where.whole })
    run.lost.push(...where.whole())
  } catch (error) {
    report(run, node, error, where.whole())
  }
  return null
}

/** Where the errors of an answer belong. */
export interface Where {
  /** None for a path that leads to none of what was asked for. */
  pathsOf(errorPath: Path): Path[]
  whole(): Path[]
  /** Those that name no place, beside data. */
  others(): Path[]
}

function take(
  run: PlanRun,
  { serviceName }: EntityFetch,
  errors: readonly AnswerError[],
  { pathsOf, whole, others }: Where,
): void {
  const pathsFor = (path: Path | undefined): Path[] => {
    if (!path) return others()
    const found = pathsOf(path)
    return found.length > 0 ? found : whole()
  }
  const redact = redactorFor(run)
  const facts = { subgraph: serviceName, requestId: run.context.caller.requestId }
  for (const { message, path, extensions } of errors) {
    const reported = pathsFor(path).map((at) => subgraphError(message, at, extensions, redact))
    run.errors.push(...reported)
    if (message === undefined) run.log.error(facts, WRONG_FORM)
    else if (reported[0] && reported[0].message !== message)
      run.log.warn({ ...facts, said: message }, 'A subgraph revealed its address to clients')
  }
}

/** What the client wrote in its document or variables, it may read in messages. */
export const redactorFor = ({ variables, text }: PlanRun): Redact =>
  redactorOf(() => JSON.stringify(variables) + text)

/** Where a root fetch stands that brings nothing: at its fields. */
export function rootPathsOf(
  node: EntityFetch,
  { variables }: PlannedRequest,
  pathsOf: (errorPath: Path) => Path[],
): Path[] {
  const all = rootKeysOf(node, variables).flatMap((key) => pathsOf([key]))
  return all.length > 0 ? all : [[]]
}

/** A subgraph's error as clients see it: its code passes; stack traces and addresses that it may add do not. */
export const subgraphError = (
  message: unknown,
  path: Path | undefined,
  extensions: Json | undefined,
  redact = redactAll,
): GraphQLError => {
  const code = extensions?.code
  return new GraphQLError(typeof message === 'string' ? redact(message) : WRONG_FORM, {
    path: path?.length ? path : undefined,
    extensions: codedExtensions(
      typeof code === 'string' ? redact(code) : 'DOWNSTREAM_SERVICE_ERROR',
      extensions?.retryAfterSeconds,
    ),
  })
}

const WRONG_FORM = 'A subgraph answered with an error of the wrong form'

/** What operators look for: which operation, and what lies behind the code that the client reads. */
function factsOf({ operationName }: FetchNode, { code, cause }: FederationError) {
  const causes: string[] = []
  for (let at = cause; at instanceof Error && causes.length < 5; at = at.cause)
    causes.push(at.message || at.name)
  const status = cause instanceof Error && 'status' in cause ? cause.status : undefined
  return { operation: operationName ?? 'anonymous', code, status, cause: causes.join(': ') }
}

/** A failure of a whole request becomes an error at each of these places. */
export function report(
  run: PlanRun,
  node: EntityFetch,
  error: unknown,
  paths: readonly Path[],
): void {
  const isForClients = isCoded(error)
  const facts = { subgraph: node.serviceName, requestId: run.context.caller.requestId }
  if (!isForClients) run.log.error({ err: error, ...facts }, 'A fetch failed')
  else if (error instanceof FederationError)
    run.log.warn({ ...facts, ...factsOf(node, error) }, 'Fetch failed')
  const { message, extensions } = isForClients
    ? error
    : { message: `The subgraph ${node.serviceName} failed`, extensions: undefined }
  for (const at of paths) run.errors.push(subgraphError(message, at, extensions))
}
