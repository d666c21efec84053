import { type ExecutionResult, getOperationAST, parse } from 'graphql'
import type { PreparedOperation } from '../federation/operation/operation.ts'
import type { Supergraph } from '../federation/supergraph/supergraph.ts'
import type { LiveEvent, Subscriber } from '../subscriptions/live-event.ts'
import type { Metrics } from './metrics.ts'

/**
 * A supergraph that counts the operations that it prepares and runs.
 * @param wasWarmed whether one that is new here was prepared ahead
 */
export function measuredSupergraph(
  supergraph: Supergraph,
  metrics: Metrics,
  wasWarmed: (operation: PreparedOperation) => boolean = () => false,
): Supergraph {
  const measured = new WeakMap<PreparedOperation, PreparedOperation>()
  return {
    get schema() {
      return supergraph.schema
    },
    onReload: (listener) => supergraph.onReload(listener),
    async prepare(text, operationName) {
      const began = performance.now()
      const made = await supergraph.prepare(text, operationName)
      if (!('run' in made)) return made
      const known = measured.get(made)
      if (known) {
        metrics.planHits.inc()
        return known
      }
      if (wasWarmed(made)) metrics.planHits.inc()
      else metrics.plans.observe((performance.now() - began) / 1_000)
      const name = getOperationAST(parse(text, { noLocation: true }), operationName)?.name?.value
      const fresh = measuredOperation(made, metrics.nameOf(name), metrics)
      measured.set(made, fresh)
      return fresh
    },
  }
}

function measuredOperation(
  operation: PreparedOperation,
  name: string,
  { operations, subscriptions }: Metrics,
): PreparedOperation {
  const { kind } = operation
  const timers = {
    ok: operations.labels({ name, kind, outcome: 'ok' }),
    partial: operations.labels({ name, kind, outcome: 'partial' }),
    failed: operations.labels({ name, kind, outcome: 'failed' }),
  }
  return {
    ...operation,
    async run(variables, context) {
      const began = performance.now()
      let outcome: keyof typeof timers = 'failed'
      try {
        const result = await operation.run(variables, context)
        outcome = outcomeOf(result)
        return result
      } finally {
        timers[outcome].observe((performance.now() - began) / 1_000)
      }
    },
    async subscribe(variables, context) {
      const stream = await operation.subscribe(variables, context)
      if (!('deliverTo' in stream)) return stream
      return {
        deliverTo(subscriber) {
          subscriptions.inc({ name })
          const counted = new Counted(subscriber, () => subscriptions.dec({ name }))
          const leave = stream.deliverTo(counted)
          return () => {
            counted.over()
            leave()
          }
        },
      }
    },
  }
}

const outcomeOf = ({ data, errors }: ExecutionResult): 'ok' | 'partial' | 'failed' =>
  errors ? (data == null ? 'failed' : 'partial') : 'ok'

/** Tells, once, that a subscriber gets no more. */
class Counted implements Subscriber {
  #isOver = false

  constructor(
    private readonly subscriber: Subscriber,
    private readonly onOver: () => void,
  ) {}

  event(event: LiveEvent): void {
    this.subscriber.event(event)
  }

  end(error?: unknown): void {
    this.over()
    this.subscriber.end(error)
  }

  waitingBytes(): number {
    return this.subscriber.waitingBytes()
  }

  tooSlow(): void {
    this.over()
    this.subscriber.tooSlow()
  }

  over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.onOver()
  }
}
