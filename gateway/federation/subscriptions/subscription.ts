import { isDeepStrictEqual } from 'node:util'
import type { SubscriptionNode } from '@apollo/query-planner'
import type { ExecutionResult } from 'graphql'
import type { Context } from '../../../subgraphs/shared/caller.ts'
import { errorsOf } from '../executor/answer-errors.ts'
import { pathTranslator } from '../executor/error-paths.ts'
import { mergeInto } from '../executor/merge.ts'
import { getOwn, isObject, type Json } from '../executor/own.ts'
import { compilePlan } from '../executor/plan.ts'
import type { PlanRun } from '../executor/plan-run.ts'
import { redactorFor, requestOf, subgraphError } from '../executor/request.ts'
import { applyRewrites } from '../executor/rewrites.ts'
import type { SubgraphLink } from '../links/link.ts'
import type { StreamPlace } from './stream-place.ts'

/** What one event of the subgraph becomes for clients. */
export interface Response {
  result: ExecutionResult
  /** Where the stream stands behind this event; undefined where it does not tell. */
  cursor: string | undefined
}

/** A planned subscription, compiled once. */
export interface PreparedSubscription {
  /** Whether a stream depends on when and where it begins, because it can start from a cursor. */
  isResumable: boolean
  /** Subscribes at the subgraph that has the stream. */
  open(variables: Json, context: Context): Promise<AsyncIterableIterator<ExecutionResult>>
  /** Runs the rest of the plan, with one event as the seed. */
  respond(event: ExecutionResult, variables: Json, context: Context): Promise<Response>
  /** Whether a stream of the other can go on as one of this. */
  isLike(other: PreparedSubscription): boolean
  plan: SubscriptionNode
  /** To the subgraph that has the stream. */
  link: SubgraphLink
}

export interface SubscriptionParts {
  plan: SubscriptionNode
  link: SubgraphLink
  place: StreamPlace
  /** A fresh run: merging changes its data. */
  begin(variables: Json, context: Context): PlanRun
  /** Makes a run's data the response. */
  finish(run: PlanRun): ExecutionResult
}

export function prepareSubscription({
  plan,
  link,
  place: { isResumable, key, cursor },
  begin,
  finish,
}: SubscriptionParts): PreparedSubscription {
  const { primary, rest } = plan
  const task = rest ? compilePlan(rest) : null
  const translate = pathTranslator(primary)
  return {
    plan,
    link,
    isResumable,
    open: (variables, context) =>
      link.subscribe({ ...requestOf({ variables }, primary), kind: 'subscription' }, context),
    async respond({ data, errors }, variables, context) {
      const run = begin(variables, context)
      run.fetches.changed()
      const redact = redactorFor(run)
      for (const { message, path, extensions } of errorsOf(errors))
        run.errors.push(subgraphError(message, path && translate(path), extensions, redact))
      if (isObject(data)) {
        applyRewrites(run.schema, primary.outputRewrites, data)
        mergeInto(run.schema, run.data, data)
      }
      const event = getOwn(run.data, key)
      const position = cursor && isObject(event) ? getOwn(event, cursor) : undefined
      if (isObject(data)) await task?.(run)
      return { result: finish(run), cursor: position == null ? undefined : String(position) }
    },
    isLike: (other) => other.link === link && isDeepStrictEqual(other.plan, plan),
  }
}
