import {
  LONG_DURATIONS,
  type ProcessMetrics,
} from '../../../../platform/metrics/process-metrics.ts'
import { currentTime } from '../../../../platform/process/clock.ts'
import type { Sandbox } from '../../../../runner/sandbox/sandbox.ts'

/** Counts of the executions that a worker runs. */
export interface ExecutionCounts {
  /** A slot is taken. @param accepted when the execution was; null for one that runs again @returns what frees it */
  begun(accepted: Date | null): () => void
  ended(state: string, accepted: Date): void
  /** Slots that are taken. */
  used(): number
}

export function executionMetrics(
  metrics: ProcessMetrics,
  slots: number,
  sandbox: Pick<Sandbox, 'readyProcesses'>,
): ExecutionCounts {
  const ended = metrics.counter({
    name: 'assay_executions_total',
    help: 'Executions of scenarios that this worker ended, by state.',
    labels: ['state'],
  })
  const durations = metrics.histogram(
    {
      name: 'assay_execution_duration_seconds',
      help: 'Executions of scenarios from their acceptance to their end, by state.',
      labels: ['state'],
    },
    LONG_DURATIONS,
  )
  const waits = metrics.histogram(
    {
      name: 'assay_execution_queue_wait_seconds',
      help: 'How long executions waited for a slot of a worker.',
    },
    LONG_DURATIONS,
  )
  let taken = 0
  const used = metrics.gauge({
    name: 'assay_worker_slots_used',
    help: 'Slots of this worker that run an execution.',
  })
  metrics
    .gauge({ name: 'assay_worker_slots', help: 'Slots of this worker (WORKER_SLOTS).' })
    .set(slots)
  metrics.watch(
    {
      name: 'assay_sandboxes_ready',
      help: 'Sandboxed processes that are started and unused, against SANDBOX_READY.',
    },
    async () => [{ labels: {}, value: sandbox.readyProcesses() }],
  )
  return {
    begun(accepted) {
      if (accepted) waits.observe(secondsSince(accepted))
      used.set(++taken)
      return () => used.set(--taken)
    },
    ended(state, accepted) {
      ended.inc({ state })
      durations.observe({ state }, secondsSince(accepted))
    },
    used: () => taken,
  }
}

const secondsSince = (time: Date): number =>
  Math.max(0, currentTime().getTime() - time.getTime()) / 1_000
