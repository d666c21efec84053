import { callTool, mcp } from '../../support/e2e/mcp.ts'
import { assay } from '../../support/e2e/product.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client } from '../../support/e2e/users.ts'

/** A scenario without a component. */
const WAITS = {
  componentUnderTest: undefined,
  scenario: { steps: [{ id: 'first', wait: { ms: 1 } }] },
}

describe('assistants of users', () => {
  const admin = basic(ADMIN, ADMIN_PASSWORD)
  let client: Client
  beforeAll(() => {
    client = new Client(assay().url)
  })

  const tools = async (headers: object) => {
    const { status, result } = await mcp(assay().url, 'tools/list', {}, headers)
    return [status, result?.tools.map(({ name }: { name: string }) => name)]
  }
  const bearer = ({ secret }: { secret: string }) => ({ authorization: `Bearer ${secret}` })

  test.each(['initialize', 'tools/list', 'tools/call'])(
    'are refused without a sign-in for %s, as everywhere',
    async (method) => {
      const { status, headers } = await mcp(assay().url, method, { name: 'find_failures' })
      expect([status, headers.get('www-authenticate')]).toEqual([
        401,
        'Basic realm="Assay", charset="UTF-8"',
      ])
    },
  )

  test('see the tools of their scopes, and the graph decides on the others', async () => {
    const token = bearer(await client.token(admin, ['events:read']))
    expect(await tools(token)).toEqual([
      200,
      ['explain_failure', 'read_log', 'read_coverage', 'find_events', 'read_event'],
    ])
    await expect(callTool(assay().url, 'find_failures', {}, token)).rejects.toThrow(
      /needs executions:read \(FORBIDDEN, request /,
    )
    await expect(callTool(assay().url, 'run_test', { id: 'tax-table' }, token)).rejects.toThrow(
      /needs executions:run \(FORBIDDEN/,
    )
  })

  test('read as their user what others may not read, and nothing once the token is revoked', async () => {
    const token = await client.token(admin, ['executions:run', 'executions:read'])
    const { data } = await callTool(
      assay().url,
      'run_test',
      { id: await client.openScenario(WAITS) },
      bearer(token),
    )
    const run = await client.run(
      `{ executionResult(id: "${data.execute.id}") { executedBy } }`,
      admin,
    )
    expect(run.executionResult.executedBy).toBe(ADMIN)
    const shown = await callTool(
      assay().url,
      'explain_failure',
      { id: data.execute.id },
      bearer(token),
    )
    expect(shown.data.executionResult).toMatchObject({ cause: null, failingSince: null })
    await client.run(`mutation { revokeApiToken(id: "${token.id}") }`, admin)
    expect(await tools(bearer(token))).toEqual([401, undefined])
  })
})
