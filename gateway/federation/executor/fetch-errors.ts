import type { FetchNode } from '@apollo/query-planner'
import { GraphQLError, Kind, parse, type SelectionNode } from 'graphql'
import { codedExtensions, FederationError, isCoded } from '../errors.ts'
import type { SubgraphLink } from '../links/link.ts'
import { conditionsOf, isIncluded } from './conditions.ts'
import { isObject, type Json } from './own.ts'
import type { PlanRun } from './plan-run.ts'
import { type Redact, redactAll, redactorOf } from './redact.ts'
import type { Path } from './response-path.ts'

/** An error that a subgraph answers, as far as it has the form of one. */
export interface AnswerError {
  message: string | undefined
  path: Path | undefined
  extensions: Json | undefined
}

/** The errors of an answer, whatever a subgraph of others puts there: something else than a list counts as one. */
export function errorsOf(errors: unknown): AnswerError[] {
  return (Array.isArray(errors) ? errors : [null]).map((error: unknown) => {
    const { message, path, extensions } = (isObject(error) ? error : {}) as Json
    return {
      message: typeof message === 'string' ? message : undefined,
      path: pathOf(path),
      extensions: isObject(extensions) ? extensions : undefined,
    }
  })
}

/** A path up to the first step that is neither a key nor a position. */
function pathOf(path: unknown): Path | undefined {
  if (!Array.isArray(path)) return undefined
  const end = path.findIndex((step) => typeof step !== 'string' && !isPosition(step))
  const known = end < 0 ? path : path.slice(0, end)
  return known.length > 0 ? known : undefined
}

const isPosition = (step: unknown): boolean => Number.isInteger(step) && Number(step) >= 0

/** Where the errors of an answer belong. */
export interface Where {
  /** None for a path that leads to none of what was asked for. */
  pathsOf(errorPath: Path): Path[]
  whole(): Path[]
  /** Those that name no place, beside data. */
  others(): Path[]
}

/** Errors of an answer become errors of the run. */
export function reportAnswer(
  run: PlanRun,
  { serviceName }: FetchNode,
  errors: readonly AnswerError[],
  { pathsOf, whole, others }: Where,
): void {
  const pathsFor = (path: Path | undefined): Path[] => {
    if (!path) return others()
    const found = pathsOf(path)
    return found.length > 0 ? found : whole()
  }
  const redact = redactorFor(run, run.link(serviceName))
  const facts = { subgraph: serviceName, requestId: run.context.caller.requestId }
  for (const { message, path, extensions } of errors) {
    const reported = pathsFor(path).map((at) => subgraphError(message, at, extensions, redact))
    run.errors.push(...reported)
    if (message === undefined) run.log.error(facts, WRONG_FORM)
    else if (reported[0] && reported[0].message !== message)
      run.log.warn({ ...facts, said: message }, 'A subgraph revealed its address to clients')
  }
}

/**
 * What the client wrote in its document or variables, it may read in messages. Subgraphs of the product reveal nothing: an
 * id such as `api.prod.svc` is no address to them.
 */
export const redactorFor = ({ variables, text }: PlanRun, { isOwn }: SubgraphLink): Redact =>
  isOwn ? (message) => message : redactorOf(() => JSON.stringify(variables) + text)

/** Where a root fetch stands that brings nothing: at its fields. */
export function rootPathsOf(
  node: FetchNode,
  variables: Json,
  pathsOf: (errorPath: Path) => Path[],
): Path[] {
  const all = rootKeysOf(node, variables).flatMap((key) => pathsOf([key]))
  return all.length > 0 ? all : [[]]
}

/** The keys of the root fields that a fetch is to bring. Only failures need to know, so it is found out for them alone. */
function rootKeysOf({ operation }: FetchNode, variables: Json): string[] {
  const keys = new Set<string>()
  const collect = (nodes: readonly SelectionNode[]): void => {
    for (const node of nodes) {
      const conditions = conditionsOf(node.directives)
      if (!conditions || !isIncluded([conditions], variables)) continue
      if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet.selections)
      else if (node.kind === Kind.FIELD && node.name.value !== '__typename')
        keys.add((node.alias ?? node.name).value)
    }
  }
  for (const definition of parse(operation, { noLocation: true }).definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION) collect(definition.selectionSet.selections)
  return [...keys]
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
  node: FetchNode,
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
