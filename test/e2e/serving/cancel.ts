import type { Client } from 'graphql-ws'
import { readUntil } from '../../conformance/calls.ts'
import { connect, data } from '../../support/e2e/graph.ts'
import { assay } from '../../support/e2e/product.ts'
import { createScenario, ended, start } from '../../support/e2e/scenarios.ts'
import { survivorsOf } from '../../support/process-tree.ts'

describe('cancel', () => {
  let client: Client
  beforeEach(() => {
    client = connect()
  })
  afterEach(() => client.dispose())

  /** From the answer of the cancel on. */
  const DEAD_MS = 2_000

  const CANCEL = `mutation ($input: CancelExecutionInput!) {
  cancelExecution(input: $input) { state errorCode message } }`
  const NEXT = `subscription ($after: String) {
  executionStateChanged(filter: { states: [ERROR] }, after: $after) { execution { id message } } }`

  test('a cancel over HTTP ends a scenario, and its process is dead within two seconds', async () => {
    const endless = { id: 'loop', call: { function: 'endless' } }
    const contextId = await createScenario('export function endless() { for (;;); }', [endless])
    // Behind a cursor it does not matter when the stream is open.
    const { executionStateCursor: after } = await data<{ executionStateCursor: string }>(
      '{ executionStateCursor }',
    )
    const changes = client.iterate({ query: NEXT, variables: { after } })
    const next = changes.next()
    const { id } = await start(contextId)
    const sandboxes = await readUntil(
      () => assay().sandboxes(),
      ({ length }) => length > 0,
    )
    expect(await data(CANCEL, { input: { id, reason: 'enough' } })).toEqual({
      cancelExecution: {
        state: 'ERROR',
        errorCode: 'CANCELLED',
        message: 'Cancelled by anonymous: enough',
      },
    })
    expect(await survivorsOf(sandboxes, DEAD_MS)).toEqual([])
    expect(await ended(id)).toMatchObject({ state: 'ERROR' })
    expect((await next).value?.data).toEqual({
      executionStateChanged: { execution: { id, message: 'Cancelled by anonymous: enough' } },
    })
    await changes.return?.()
  })
})
