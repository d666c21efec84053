import { type Answer, type Collector, startCollector } from '../support/collector.ts'
import { graphql, readUntil } from './calls.ts'
import { execute, type Scenario } from './executions.ts'

export interface Delivery {
  id: string
  url: string
  state: 'PENDING' | 'DELIVERED' | 'GIVEN_UP' | 'DEAD'
  nextAttemptAt: string | null
  attempts: { started: string; status: number | null; error: string | null; durationMs: number }[]
}

/** Runs a check against a receiver of callbacks that answers as given, 204 if nothing is. */
export async function withCollector(
  check: (collector: Collector) => Promise<void>,
  answer?: Answer,
): Promise<void> {
  const collector = await startCollector(answer)
  try {
    await check(collector)
  } finally {
    await collector.stop()
  }
}

/** Starts an execution with a callback. @returns its result id */
export async function executeWithCallback(
  url: string,
  scenario: Scenario = 'loan-schedule',
): Promise<string> {
  const { status, body } = await execute(
    `/testcase/${scenario}/execute?callbackUrl=${encodeURIComponent(url)}`,
  )
  expect(status).toBe(200)
  return body.id
}

/** The only delivery of an execution, read until `done` holds. */
export async function deliveryOf(
  resultId: string,
  done: (delivery: Delivery) => boolean,
): Promise<Delivery> {
  const read = async () => {
    const { executionResult } = await graphql<{
      executionResult: { callbackDeliveries: Delivery[] }
    }>(
      `query ($id: ID!) { executionResult(id: $id) { callbackDeliveries {
        id url state nextAttemptAt attempts { started status error durationMs } } } }`,
      { id: resultId },
    )
    return executionResult.callbackDeliveries
  }
  const [delivery, ...others] = await readUntil(read, ([first]) => !!first && done(first))
  expect(others).toEqual([])
  if (!delivery) throw new Error('There is no delivery')
  return delivery
}
