import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  parse,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { MadeOnce } from '../../../formats/graphql/event-key.ts'
import type { OwnTurns } from '../../../platform/load/own-turns.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import {
  type Authorization,
  guardedOperation,
  NOTHING_GRANTED,
} from '../access/guarded-operation.ts'
import { operationAccess } from '../access/operation-access.ts'
import { deferredFragments } from '../defer/deferred-fragments.ts'
import { FederationError, isCoded } from '../errors.ts'
import { Changes } from '../executor/shared-runs.ts'
import type { SubgraphLink } from '../links/link.ts'
import { faultsOf, withCode } from '../operation/document-faults.ts'
import { isTooNested, TOO_NESTED } from '../operation/lexical-limits.ts'
import type { NamedOperation } from '../operation/named-operation.ts'
import { prepareOperation } from '../operation/operation.ts'
import { type OperationRules, UNOBSERVED } from '../operation/operation-rules.ts'
import type { OperationDeps, PreparedOperation } from '../operation/prepared-operation.ts'
import { createPlanner, type Planner, type PlannerOptions } from '../planning/planner.ts'
import { LiveStreams } from '../subscriptions/live-streams.ts'
import type { Responses } from '../subscriptions/subscription.ts'

/** An operation, or why there is none. */
export type Prepared = PreparedOperation | readonly GraphQLError[]

/** Supergraph that a gateway serves. */
export interface Supergraph {
  /** The schema that clients see. */
  readonly schema: GraphQLSchema
  /**
   * Parses, checks, validates, plans and compiles once; the same text is answered from memory.
   * @param rules absent for operations of the product itself
   * @param owner who asks: owners take turns where operations wait to be planned
   */
  prepare(
    text: string,
    operationName?: string | null,
    rules?: OperationRules,
    owner?: string,
  ): Promise<Prepared>
  /** True if `prepare` answers from memory. */
  isPrepared(operation: NamedOperation): boolean
  /** Why new subscribers are refused for now; undefined while there is room. */
  fullStreams(): FederationError | undefined
}

/** Longer documents have a turn for each of these steps. */
const ONE_TURN_CHARACTERS = 4 * 1024

/** One supergraph, which never changes. */
export interface SupergraphVersion extends Supergraph {
  /** Prepares an operation before clients ask for it; it is not counted. */
  warm(operation: NamedOperation): Promise<Prepared>
  /** The operations that are kept prepared, the latest used first. */
  known(): NamedOperation[]
  /** True if an operation that was prepared here runs. */
  isBusy(): boolean
  /** Stops planning; operations that were prepared still run. */
  stop(): Promise<void>
}

/** Plans valid operations, here or elsewhere. */
export interface Plans {
  /** @throws errors with a code for what clients may read */
  plan(
    ...operation: [...Parameters<Planner['plan']>, owner?: string]
  ): ReturnType<Planner['plan']> | Promise<ReturnType<Planner['plan']>>
  stop(): Promise<void>
}

export interface SupergraphOptions
  extends PlannerOptions,
    Pick<
      OperationDeps,
      | 'observer'
      | 'json'
      | 'sharing'
      | 'contextKey'
      | 'maxQueries'
      | 'maxResponse'
      | 'isUnshared'
      | 'cacheHints'
    > {
  /** Operations that are kept prepared. */
  planCacheSize?: number
  /** New operations are parsed, validated and compiled in one piece, which takes milliseconds; default: without waiting. */
  turns?: Pick<OwnTurns, 'begin'>
  /** Streams that clients subscribe to, over all versions of a supergraph. */
  streams?: LiveStreams
  /** Over all versions of a supergraph. */
  changes?: Changes
  /** Rights of callers to protected fields; without it, none. */
  authorization?: Authorization
  /** Planning of operations; default: at once, in this thread. */
  plansFor?(supergraphSdl: string, planner: Planner): Plans
}

/** Longer documents are prepared each time: they are rare, and a thousand of them would fill the memory. */
const MAX_KEPT_CHARACTERS = 64 * 1024

const PLAN_CACHE_SIZE = 1_000

/**
 * @param supergraphSdl a composed federation 2 supergraph @param links one for each subgraph in it
 * @throws if the SDL is no supergraph
 */
export function loadSupergraph(
  supergraphSdl: string,
  links: readonly SubgraphLink[],
  log: Logger,
  {
    planCacheSize = PLAN_CACHE_SIZE,
    turns = { async begin() {} },
    streams = new LiveStreams(log),
    changes = new Changes(),
    plansFor = (_, planner) => ({ plan: planner.plan, async stop() {} }),
    observer = UNOBSERVED,
    authorization = NOTHING_GRANTED,
    ...options
  }: SupergraphOptions = {},
): SupergraphVersion {
  const byName = new Map(links.map((link) => [link.name, link]))
  const link = (name: string): SubgraphLink => {
    const found = byName.get(name)
    if (!found)
      throw new FederationError(
        'INTERNAL_SERVER_ERROR',
        `The supergraph names the unknown subgraph ${name}`,
      )
    return found
  }
  const planner = createPlanner(supergraphSdl, options)
  const { schema, overrideLabels, access, costs } = planner
  if (access && authorization === NOTHING_GRANTED)
    log.warn(
      'Fields with @authenticated, @requiresScopes or @policy are refused to all callers: AUTH_MODE is none',
    )
  if (access && access.policies.length > 0 && !authorization.decidesPolicies)
    log.warn(
      'Fields with @policy are refused to all callers: authorization.policies in the file of GATEWAY_CONFIG names no webhook',
    )
  if (overrideLabels.others.length > 0)
    log.warn(
      { labels: overrideLabels.others },
      'Fields with these labels of @override stay in the subgraph that they are moved from: overrideLabels in the file of GATEWAY_CONFIG sets labels besides percent(n)',
    )
  const plans = plansFor(supergraphSdl, planner)
  const running = { count: 0, queries: 0 }
  const responses: Responses = new MadeOnce()
  const deps: OperationDeps = {
    ...options,
    link,
    changes,
    streams,
    responses,
    log,
    observer,
    running,
  }
  const kept = new LRUCache<string, { named: NamedOperation; operation: PreparedOperation }>({
    max: planCacheSize,
  })
  /** Equal operations that come while one of them is prepared wait for that. */
  const preparing = new Map<string, Promise<Prepared>>()

  async function prepareNew(named: NamedOperation, owner?: string): Promise<Prepared> {
    const { text, operationName, rules, overrides } = named
    const ownTurn = () => text.length > ONE_TURN_CHARACTERS && turns.begin(owner)
    await turns.begin(owner)
    try {
      await ownTurn()
      const given = parsed(named)
      await ownTurn()
      const mayDefer = text.includes('defer')
      const errors = faultsOf(schema, given, mayDefer)
      if (errors.length > 0) return rules ? errors.map(rules.reworded) : errors
      const deferred = mayDefer ? deferredFragments(given) : undefined
      const document = deferred?.document ?? given
      const operation = getOperationAST(document, operationName)
      if (!operation)
        throw new FederationError(
          'OPERATION_RESOLUTION_FAILURE',
          'operationName: it must name one operation of the document',
        )
      await ownTurn()
      const plan = (given: DocumentNode) =>
        planned(plans, log, [given, operationName, overrides, owner])
      const parts = { ...deps, named, schema, document, operation, costs, plan, deferred }
      const whole = await prepareOperation(parts)
      const required = access && operationAccess(access, parts)
      if (!required) return whole
      return guardedOperation(whole, required, authorization, (permitted) =>
        prepareOperation({ ...parts, named: { ...named, denied: permitted.key }, permitted }),
      )
    } catch (error) {
      return [explain(error)]
    }
  }

  async function prepareOnce(
    key: string,
    named: NamedOperation,
    owner?: string,
  ): Promise<Prepared> {
    const fresh = prepareNew(named, owner)
    preparing.set(key, fresh)
    try {
      const operation = await fresh
      if ('run' in operation && named.text.length <= MAX_KEPT_CHARACTERS)
        kept.set(key, { named, operation })
      return operation
    } finally {
      preparing.delete(key)
    }
  }

  return {
    schema,
    isBusy: () => running.count > 0,
    isPrepared: (named) => kept.has(keyOf(named)),
    fullStreams: () => streams.refusal(),
    known: () => [...kept.values()].map(({ named }) => named),
    stop: () => plans.stop(),
    warm: (named) => prepareOnce(keyOf(named), named),
    async prepare(text, operationName, rules, owner) {
      const named = { text, operationName, rules, overrides: overrideLabels.draw() }
      const key = keyOf(named)
      const known = kept.get(key)?.operation ?? preparing.get(key)
      if (known) {
        const operation = await known
        if ('run' in operation) observer.reused()
        return operation
      }
      const began = performance.now()
      const fresh = await observer.preparing(() => prepareOnce(key, named, owner))
      if ('run' in fresh) observer.prepared((performance.now() - began) / 1_000)
      return fresh
    },
  }
}

/** No document starts with the separator. What clients ask mostly has no name, and is its own key. */
const keyOf = ({ text, operationName, rules, overrides = [] }: NamedOperation): string => {
  if (overrides.length > 0) return `\0${overrides}${keyOf({ text, operationName, rules })}`
  if (operationName != null) return `\0${rules ? 'client' : ''}\0${operationName}\0${text}`
  return rules ? text : `\0${text}`
}

/** Parses a document that may be parsed. @throws errors for clients */
function parsed({ text, rules }: NamedOperation): DocumentNode {
  if (rules) rules.checkText(text)
  else if (isTooNested(text)) throw new FederationError('BAD_USER_INPUT', TOO_NESTED)
  const document = parse(text)
  rules?.checkDocument(document)
  return document
}

/** The planner throws on some operations that are valid: a fault of the product, reported to clients without detail. */
async function planned(
  plans: Plans,
  log: Logger,
  operation: Parameters<Plans['plan']>,
): Promise<ReturnType<Planner['plan']>> {
  try {
    return await plans.plan(...operation)
  } catch (error) {
    if (isCoded(error)) throw error
    log.error({ err: error }, 'An operation could not be planned')
    throw new FederationError('INTERNAL_SERVER_ERROR', 'This operation cannot be planned')
  }
}

/** Why an operation cannot be prepared. @throws errors whose cause is not the document */
function explain(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return withCode(error, 'GRAPHQL_PARSE_FAILED')
  if (isCoded(error)) {
    const { message, extensions } = error
    return new GraphQLError(message, { originalError: error, extensions: { ...extensions } })
  }
  if (error instanceof RangeError)
    return new GraphQLError(TOO_NESTED, { extensions: { code: 'BAD_USER_INPUT' } })
  throw error
}
