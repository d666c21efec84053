import { randomUUID } from 'node:crypto'
import type { Client } from 'graphql-ws'
import { readUntil } from '../../conformance/calls.ts'
import { type ExecutionResult, execute, readResult } from '../../conformance/executions.ts'
import type { Gate } from '../gate.ts'
import { collect, data, type Update, watch } from './graph.ts'

export type Step = Record<string, unknown> & { id: string }

const CREATE = `mutation ($component: CreateComponentInput!, $testCase: CreateTestCaseInput!) {
  createComponent(input: $component) { id }
  createTestCase(input: $testCase) { id }
}`

/**
 * Stores a component and a scenario for it under one new id, which is also the name of both.
 * @param attributes of the scenario that differ from their defaults
 */
export async function createScenario(
  sourceCode: string,
  steps: Step[],
  attributes: Record<string, unknown> = {},
): Promise<string> {
  const id = `e2e-${randomUUID()}`
  await data(CREATE, {
    component: { id, name: id, sourceCode },
    testCase: { id, name: id, componentUnderTest: id, scenario: { steps }, ...attributes },
  })
  return id
}

/** A source whose `answer()` returns the given number. */
export const answering = (answer: number): string =>
  `export function answer() {\n  return ${answer}\n}\n`

/** A step that expects 42 of `answer()`. */
export const expect42: Step = {
  id: 'answer',
  call: { function: 'answer', args: [] },
  expect: [{ name: 'the answer', assert: 'equals', value: 42 }],
}

/** Calls the component, then lets time pass, then calls it again. */
export const createSlowScenario = (
  ms: number,
  attributes?: Record<string, unknown>,
): Promise<string> =>
  createScenario(
    answering(42),
    [expect42, { id: 'pause', wait: { ms } }, { ...expect42, id: 'end' }],
    attributes,
  )

export const replaceSource = (id: string, sourceCode: string): Promise<unknown> =>
  data('mutation ($input: UpdateComponentInput!) { updateComponent(input: $input) { revision } }', {
    input: { id, name: id, sourceCode },
  })

/** Starts an execution without waiting for its end. */
export async function start(contextId: string): Promise<ExecutionResult> {
  const { status, body } = await execute(`/testcase/${contextId}/execute`)
  expect({ status, state: body.state }).toEqual({ status: 200, state: 'RUNNING' })
  return body
}

/** Runs an execution to its end. */
export async function run(contextId: string): Promise<ExecutionResult> {
  const { status, body } = await execute(`/testcase/${contextId}/execute?synchron=true`)
  expect(status).toBe(200)
  return body
}

export const ended = async (resultId: string, withinMs?: number): Promise<ExecutionResult> =>
  (
    await readUntil(
      () => readResult(resultId),
      ({ status, body }) => status === 200 && body.state !== 'RUNNING',
      withinMs,
    )
  ).body

export const isAt =
  (stepId: string) =>
  ({ step }: Update): boolean =>
    step?.id === stepId && step.state === 'RUNNING'

/** Calls the component, then waits for the test, then calls it again. */
export async function createGatedScenario(
  gate: Gate,
  attributes: Record<string, unknown> = {},
): Promise<string> {
  const environment = `e2e-${randomUUID()}`
  await data(
    'mutation ($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }',
    { input: { id: environment, name: environment, allowedHosts: [gate.host] } },
  )
  return createScenario(answering(42), [expect42, gate.step('pause'), { ...expect42, id: 'end' }], {
    environment,
    ...attributes,
  })
}

/** Starts a scenario that pauses until the gate opens, and returns when it does. */
export async function startPaused(
  client: Client,
  gate: Gate,
  attributes?: Record<string, unknown>,
): Promise<ExecutionResult> {
  const execution = await start(await createGatedScenario(gate, attributes))
  const updates = await collect(watch(client, execution.id, ''), isAt('pause'))
  expect(updates.at(-1)).toMatchObject({ step: { id: 'pause', state: 'RUNNING' } })
  return execution
}
