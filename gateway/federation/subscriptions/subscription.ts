import { isDeepStrictEqual } from 'node:util'
import type { SubscriptionNode } from '@apollo/query-planner'
import type { ExecutionResult } from 'graphql'
import type { MadeOnce } from '../../../formats/graphql/event-key.ts'
import { notedCharacters } from '../../../formats/json/json.ts'
import type { Context } from '../../../platform/access/caller.ts'
import { FederationError } from '../errors.ts'
import { requestOf } from '../executor/fetch.ts'
import { errorsOf, logFailure, reportAnswer } from '../executor/fetch-errors.ts'
import { copied, getOwn, isObject, type Json, mergeInto } from '../executor/own.ts'
import type { PlanRun, Task } from '../executor/plan-run.ts'
import { type Path, pathTranslator } from '../executor/response-path.ts'
import { applyRewrites } from '../executor/rewrites.ts'
import type { ContextKey } from '../executor/shared-runs.ts'
import { compilePlan } from '../executor/stages.ts'
import type { SubgraphLink } from '../links/link.ts'
import { LiveEvent } from './live-event.ts'
import { requestBehind, type StreamCursor } from './stream-cursor.ts'

/** Response for one event of the subgraph. */
export interface Response {
  event: LiveEvent
  /** The position behind this event; undefined in streams without cursors. */
  cursor: string | undefined
}

/** A planned subscription, compiled once. */
export interface PreparedSubscription {
  /** True if a stream depends on when and where it begins, because it can start from a cursor. */
  isResumable: boolean
  /** True if another stream can go on behind the cursor of a response. */
  isContinuable: boolean
  /**
   * Subscribes at the subgraph that has the stream.
   * @param behind the cursor of a response, in place of what the client asked for
   */
  open(variables: Json, context: Context, behind?: string): Promise<AsyncIterator<ExecutionResult>>
  /** Runs the rest of the plan, with one event as the seed: once for all streams that ask for the same of it. */
  respond(event: ExecutionResult, variables: Json, context: Context): Promise<Response>
  /** True if a stream of the other can go on as one of this. */
  isLike(other: PreparedSubscription): boolean
  plan: SubscriptionNode
  /** To the subgraph that has the stream. */
  link: SubgraphLink
}

export interface SubscriptionParts {
  plan: SubscriptionNode
  link: SubgraphLink
  cursor: StreamCursor
  /** Equal where equal events have equal responses: see compileEventKey. */
  eventKey(variables: Json): string
  responses: Responses
  contextKey: ContextKey
  /** A fresh run: merging changes its data. */
  begin(variables: Json, context: Context): PlanRun
  /** Makes a run's data the response. */
  finish(run: PlanRun): ExecutionResult
}

/** Responses to events of subgraphs. */
export type Responses = MadeOnce<ExecutionResult, Promise<Response>>

export const prepareSubscription = (parts: SubscriptionParts): PreparedSubscription =>
  new CompiledSubscription(parts)

class CompiledSubscription implements PreparedSubscription {
  readonly plan: SubscriptionNode
  readonly link: SubgraphLink
  readonly isResumable: boolean
  readonly isContinuable: boolean
  readonly #task: Task | null
  readonly #where: ReturnType<typeof placesOf>

  constructor(private readonly parts: SubscriptionParts) {
    const { plan, link, cursor } = parts
    this.plan = plan
    this.link = link
    this.isResumable = cursor.isResumable
    this.isContinuable = cursor.isContinuable
    this.#task = plan.rest ? compilePlan(plan.rest) : null
    this.#where = placesOf(plan)
  }

  async open(
    variables: Json,
    context: Context,
    behind?: string,
  ): Promise<AsyncIterator<ExecutionResult>> {
    const { log } = this.parts.begin(variables, context)
    const { primary } = this.plan
    const { requestId } = context.caller
    const asked = { ...requestOf({ variables }, primary), kind: 'subscription' } as const
    const request = behind === undefined ? asked : requestBehind(behind, asked)
    const failed = (error: unknown): never => {
      if (error instanceof FederationError) logFailure(log, requestId, primary, error)
      throw error
    }
    const stream = await this.link.subscribe(request, context).catch(failed)
    if (behind !== undefined)
      log.info(
        { subgraph: primary.serviceName, requestId },
        'Stream opened again behind its last event',
      )
    return {
      next: () => stream.next().catch(failed),
      return: async () => (await stream.return?.()) ?? { done: true, value: undefined },
    }
  }

  respond(event: ExecutionResult, variables: Json, context: Context): Promise<Response> {
    const { responses, eventKey, contextKey } = this.parts
    const key = `${eventKey(variables)}\n${contextKey(context)}`
    return responses.of(event, key, () => this.#responseTo(event, variables, context))
  }

  isLike(other: PreparedSubscription): boolean {
    return other.link === this.link && isDeepStrictEqual(other.plan, this.plan)
  }

  async #responseTo(
    { data, errors }: ExecutionResult,
    variables: Json,
    context: Context,
  ): Promise<Response> {
    const { begin, finish, cursor } = this.parts
    const { primary } = this.plan
    const run = begin(variables, context)
    run.changes.count++
    if (errors != null) await reportAnswer(run, primary, errorsOf(errors), this.#where)
    if (isObject(data)) {
      run.characters += notedCharacters(data)
      // Other streams have the same data.
      const own = copied(data) as Json
      if (primary.outputRewrites) applyRewrites(run.schema, primary.outputRewrites, own)
      mergeInto(run.schema, run.data, own)
    }
    const event = getOwn(run.data, cursor.key)
    const position = cursor.field && isObject(event) ? getOwn(event, cursor.field) : undefined
    if (isObject(data)) await this.#task?.(run)
    return {
      event: new LiveEvent(finish(run)),
      cursor: position == null ? undefined : String(position),
    }
  }
}

/** Places that errors of the subgraph are about. */
function placesOf({ primary }: SubscriptionNode) {
  const translate = pathTranslator(primary)
  const nowhere = () => [[]]
  return { pathsOf: (path: Path) => [translate(path)], whole: nowhere, others: nowhere }
}
