import type { SubscriptionNode } from '@apollo/query-planner'
import type { ExecutionResult } from 'graphql'
import { mapStream } from '../../subgraphs/shared/map-stream.ts'
import { pathTranslator } from '../supergraph/executor/error-places.ts'
import { mergeInto } from '../supergraph/executor/merge.ts'
import { isObject } from '../supergraph/executor/own.ts'
import { compilePlan } from '../supergraph/executor/plan.ts'
import type { PlanRun } from '../supergraph/executor/plan-run.ts'
import { requestOf, subgraphError } from '../supergraph/executor/request.ts'
import { applyRewrites } from '../supergraph/executor/rewrites.ts'

/**
 * Subscribes the plan's primary fetch at its subgraph and, for each event, runs the rest of the plan with the event
 * as the seed. Each event gets a run of its own, because merging changes it.
 * @param begin a fresh run @param finish makes a run's data the response
 */
export async function subscribeToPlan(
  { primary, rest }: SubscriptionNode,
  begin: () => PlanRun,
  finish: (run: PlanRun) => ExecutionResult,
): Promise<AsyncIterableIterator<ExecutionResult>> {
  const task = rest ? compilePlan(rest) : null
  const { link, context, variables } = begin()
  const translate = pathTranslator(primary)
  const request = requestOf({ variables }, primary)
  const upstream = await link(primary.serviceName).subscribe(
    { ...request, kind: 'subscription' },
    context,
  )
  return mapStream(upstream, async ({ data, errors }) => {
    const run = begin()
    for (const { message, path, extensions } of errors ?? [])
      run.errors.push(subgraphError(message, path && translate(path), extensions))
    if (isObject(data)) {
      applyRewrites(run.schema, primary.outputRewrites, data)
      mergeInto(run.data, data)
      await task?.(run)
    }
    return finish(run)
  })
}
