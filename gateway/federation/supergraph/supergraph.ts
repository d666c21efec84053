import type { GraphQLSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import { MadeOnce } from '../../../formats/graphql/event-key.ts'
import type { OwnTurns } from '../../../platform/load/load.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import { type Authorization, NOTHING_GRANTED } from '../access/guarded-operation.ts'
import type { FederationError } from '../errors.ts'
import { linkOf } from '../executor/fetch.ts'
import { Changes } from '../executor/shared-runs.ts'
import type { SubgraphLink } from '../links/link.ts'
import type { NamedOperation } from '../operation/named-operation.ts'
import type { OperationDeps } from '../operation/operation-parts.ts'
import { type OperationRules, UNOBSERVED } from '../operation/operation-rules.ts'
import type { PreparedOperation } from '../operation/prepared-operation.ts'
import { createPlanner, type Planner, type PlannerOptions } from '../planning/planner.ts'
import { LiveStreams } from '../subscriptions/live-streams.ts'
import { type Plans, Preparation, type Prepared, type SharedDeps } from './preparation.ts'

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

/** Fields of an operation on average; with more, fewer are kept, as memory goes by fields. */
const USUAL_FIELDS = 100
/** Fields that are kept whatever the setting. */
const LARGE_FIELDS = 10_000

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
  const planner = createPlanner(supergraphSdl, options)
  warnOf(planner, authorization, log)
  const deps: SharedDeps = {
    ...{ ...options, changes, streams, log, observer },
    link: linkOf(links),
    responses: new MadeOnce(),
    running: { count: 0, queries: 0 },
  }
  const plans = plansFor(supergraphSdl, planner)
  const preparation = new Preparation(planner, plans, deps, { turns, authorization })
  return new SupergraphVersion(planner, preparation, planCacheSize)
}

/** Says which fields no caller gets, or none from where they were to move. */
function warnOf(
  { access, overrideLabels }: Planner,
  authorization: Authorization,
  log: Logger,
): void {
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
}

/** One supergraph, which never changes; it keeps the operations that were prepared. */
export class SupergraphVersion implements Supergraph {
  readonly #kept: LRUCache<string, { named: NamedOperation; operation: PreparedOperation }>
  /** Equal operations that come while one of them is prepared wait for that. */
  readonly #preparing = new Map<string, Promise<Prepared>>()

  constructor(
    private readonly planner: Planner,
    private readonly preparation: Preparation,
    planCacheSize: number,
  ) {
    this.#kept = new LRUCache({
      max: planCacheSize,
      maxSize: Math.max(planCacheSize * USUAL_FIELDS, LARGE_FIELDS),
      sizeCalculation: ({ operation: { size } }) => size,
    })
  }

  get schema(): GraphQLSchema {
    return this.planner.schema
  }

  async prepare(
    text: string,
    operationName?: string | null,
    rules?: OperationRules,
    owner?: string,
  ): Promise<Prepared> {
    const { observer } = this.preparation.deps
    const overrides = this.planner.overrideLabels.draw()
    const named = { text, operationName, rules, overrides }
    const key = keyOf(named)
    const known = this.#kept.get(key)?.operation ?? this.#preparing.get(key)
    if (known) {
      const operation = await known
      if ('run' in operation) observer.reused()
      return operation
    }
    const began = performance.now()
    const fresh = await observer.preparing(() => this.#prepareOnce(key, named, owner))
    if ('run' in fresh) observer.prepared((performance.now() - began) / 1_000)
    return fresh
  }

  async #prepareOnce(key: string, named: NamedOperation, owner?: string): Promise<Prepared> {
    const fresh = this.preparation.prepare(named, owner)
    this.#preparing.set(key, fresh)
    try {
      const operation = await fresh
      if ('run' in operation && named.text.length <= MAX_KEPT_CHARACTERS)
        this.#kept.set(key, { named, operation })
      return operation
    } finally {
      this.#preparing.delete(key)
    }
  }

  /** Prepares an operation before clients ask for it; it is not counted. */
  warm(named: NamedOperation): Promise<Prepared> {
    return this.#prepareOnce(keyOf(named), named)
  }

  isPrepared(named: NamedOperation): boolean {
    return this.#kept.has(keyOf(named))
  }

  /** The operations that are kept prepared, the latest used first. */
  known(): NamedOperation[] {
    return [...this.#kept.values()].map(({ named }) => named)
  }

  fullStreams(): FederationError | undefined {
    return this.preparation.deps.streams.refusal()
  }

  /** True if an operation that was prepared here runs. */
  isBusy(): boolean {
    return this.preparation.deps.running.count > 0
  }

  /** Stops planning; operations that were prepared still run. */
  stop(): Promise<void> {
    return this.preparation.stop()
  }
}

/** No document starts with the separator. What clients ask mostly has no name, and is its own key. */
const keyOf = ({ text, operationName, rules, overrides = [] }: NamedOperation): string => {
  if (overrides.length > 0) return `\0${overrides}${keyOf({ text, operationName, rules })}`
  if (operationName != null) return `\0${rules ? 'client' : ''}\0${operationName}\0${text}`
  return rules ? text : `\0${text}`
}
