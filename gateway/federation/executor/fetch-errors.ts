import { setImmediate } from 'node:timers/promises'
import type { FetchNode } from '@apollo/query-planner'
import { Kind, parse, type SelectionNode } from 'graphql'
import { addError, codedExtensions, FederationError, isCoded } from '../errors.ts'

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
      message: typeof message === 'string' ? shortened(message) : undefined,
      path: pathOf(path),
      extensions: isObject(extensions) ? extensions : undefined,
    }
  })
}

/** Longer messages are cut: all others of a turn wait while one is redacted. */
const MAX_MESSAGE = 1_500_000

const shortened = (text: string): string =>
  text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text

/** No response is that deep: more steps only take room. */
const MAX_STEPS = 1_000

/** A path up to the first step that is neither a key nor a position. */
function pathOf(path: unknown): Path | undefined {
  if (!Array.isArray(path)) return undefined
  const end = path.findIndex((step) => typeof step !== 'string' && !isPosition(step))
  const known = path.slice(0, end < 0 ? MAX_STEPS : Math.min(end, MAX_STEPS))
  return known.length > 0 ? known : undefined
}

const isPosition = (step: unknown): boolean => Number.isInteger(step) && Number(step) >= 0

/** Places for the errors of a response. */
export interface Where {
  /** Undefined for a path that leads to none of what was asked for. */
  pathsOf(errorPath: Path): Iterable<Path> | undefined
  whole(): Iterable<Path>
  /** Those that name no place, beside data. */
  others(): Iterable<Path>
}

/** Characters of messages that one turn of the event loop redacts, where an error at each of its places is as many as a line. */
const CHARACTERS_IN_A_TURN = 2 ** 18
const LINE = 80
/** Errors of one answer that are logged. */
const MAX_LOGGED = 10

/** Errors of an answer become errors of the run, as many as fit into the response. */
export async function reportAnswer(
  run: PlanRun,
  { serviceName }: FetchNode,
  errors: readonly AnswerError[],
  { pathsOf, whole, others }: Where,
): Promise<void> {
  const pathsFor = (path: Path | undefined) => (path ? (pathsOf(path) ?? whole()) : others())
  const redact = redactorFor(run, run.link(serviceName))
  const facts = { subgraph: serviceName, requestId: run.context.caller.requestId }
  let [inTurn, logged] = [0, 0]
  for (const { message, path, extensions } of errors) {
    if (run.room < 0) return
    inTurn += message?.length ?? 0
    if (inTurn > CHARACTERS_IN_A_TURN) {
      await setImmediate()
      inTurn = 0
    }
    const shown = message === undefined ? undefined : redact(message)
    inTurn += LINE * addSubgraphError(run, shown, pathsFor(path), extensions, redact)
    if (shown === message && message !== undefined) continue
    if (logged++ >= MAX_LOGGED) continue
    if (message === undefined) run.log.error(facts, WRONG_FORM)
    else run.log.warn({ ...facts, said: message }, 'A subgraph revealed its address to clients')
  }
}

/**
 * Words that the client wrote in its document or variables may stand in messages. Subgraphs of the product reveal nothing: an
 * id such as `api.prod.svc` is no address to them.
 */
export const redactorFor = ({ variables, text }: PlanRun, { isOwn }: SubgraphLink): Redact =>
  isOwn ? (message) => message : redactorOf(() => JSON.stringify(variables) + text)

/** Paths of a root fetch that brings nothing: those of its fields. */
export function rootPathsOf(
  node: FetchNode,
  variables: Json,
  pathsOf: (errorPath: Path) => Iterable<Path>,
): Iterable<Path> {
  const keys = rootKeysOf(node, variables)
  return keys.length > 0 ? pathsOfAll(keys, pathsOf) : [[]]
}

function* pathsOfAll(keys: readonly string[], pathsOf: (errorPath: Path) => Iterable<Path>) {
  for (const key of keys) yield* pathsOf([key])
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

/**
 * A subgraph's error as clients see it: its code passes; stack traces that it may add do not.
 * @param message redacted
 * @returns number of its places
 */
function addSubgraphError(
  run: PlanRun,
  message = WRONG_FORM,
  paths: Iterable<Path> = [[]],
  extensions?: Json,
  redact = redactAll,
): number {
  const code = extensions?.code
  const shown = codedExtensions(
    typeof code === 'string' ? redact(shortened(code)) : SERVICE_ERROR,
    extensions?.retryAfterSeconds,
  )
  let places = 0
  for (const path of paths) {
    if (run.room < 0) break
    addError(run, message, path, shown)
    places += 1
  }
  return places
}

const SERVICE_ERROR = 'DOWNSTREAM_SERVICE_ERROR'
const WRONG_FORM = 'A subgraph answered with an error of the wrong form'

/** Facts for operators: the operation, and the cause behind the code that the client reads. */
function factsOf({ operationName }: FetchNode, { code, cause }: FederationError) {
  const causes: string[] = []
  for (let at = cause; at instanceof Error && causes.length < 5; at = at.cause)
    causes.push(at.message || at.name)
  const status = cause instanceof Error && 'status' in cause ? cause.status : undefined
  return { operation: operationName ?? 'anonymous', code, status, cause: causes.join(': ') }
}

/** Logs a failure that clients read. */
export const logFailure = (
  log: PlanRun['log'],
  requestId: string,
  node: FetchNode,
  error: FederationError,
): void =>
  log.warn({ subgraph: node.serviceName, requestId, ...factsOf(node, error) }, 'Fetch failed')

/** A failure of a whole request becomes an error at each of these places. */
export function report(run: PlanRun, node: FetchNode, error: unknown, paths: Iterable<Path>): void {
  const isForClients = isCoded(error)
  const { requestId } = run.context.caller
  const facts = { subgraph: node.serviceName, requestId }
  if (!isForClients) run.log.error({ err: error, ...facts }, 'A fetch failed')
  else if (error instanceof FederationError) logFailure(run.log, requestId, node, error)
  const { message, extensions } = isForClients
    ? error
    : { message: `The subgraph ${node.serviceName} failed`, extensions: undefined }
  addSubgraphError(run, redactAll(message), paths, extensions)
}
