import { callTool, mcp } from '../../../support/e2e/mcp.ts'
import { ADMIN, ADMIN_PASSWORD, basic } from '../../../support/e2e/users.ts'
import { withUsers } from '../../configured.ts'
import { inSection, product } from '../../row.ts'

const NO_SIGN_IN: Record<string, string> = {}
/** The version of MCP in which each request says what its client is. */
const VERSION = '2026-07-28'

async function tokenWith(scopes: string[]) {
  const { secret } = await (await withUsers()).token(basic(ADMIN, ADMIN_PASSWORD), scopes)
  return { authorization: `Bearer ${secret}` }
}

export const server = inSection('TX', 'Authentication', [
  {
    id: 'TX-270',
    rule: 'Version and kind of sign-in MUST be readable before the sign-in, workers with executions:read, and settings by administrators alone and without secrets.',
    check: async () => {
      const users = await withUsers()
      const { headers } = await users.account('tx-270@example.com', 'READER')
      const known = { version: expect.any(String), authMode: 'USERS' }
      expect(await users.rest('GET', '/server')).toMatchObject({ status: 200, body: known })
      for (const path of ['/server/workers', '/server/settings'])
        expect((await users.rest('GET', path)).status).toBe(401)
      expect((await users.rest('GET', '/server/settings', headers)).status).toBe(403)
      expect((await users.rest('GET', '/server/workers', headers)).body).toEqual([
        expect.objectContaining({ slots: 4, used: expect.any(Number) }),
      ])
      const settings = await users.rest('GET', '/server/settings', basic(ADMIN, ADMIN_PASSWORD))
      const named = (name: string) =>
        settings.body.find((setting: { name: string }) => setting.name === name)
      expect(named('AUTH_MODE')).toMatchObject({ value: 'users', isChanged: true })
      expect(named('ADMIN_PASSWORD')).toMatchObject({ value: null, isSecret: true })
      expect(named('PAGE_BYTES')).toMatchObject({ tier: 'LIMITS', isChanged: false })
      expect(JSON.stringify(settings.body)).not.toContain(ADMIN_PASSWORD)
    },
  },
  {
    id: 'TX-271',
    rule: 'Each entity MUST have a nodeId of its own by which node finds it; unknown ids and those that the caller may not see are null.',
    check: async () => {
      const users = await withUsers()
      const admin = basic(ADMIN, ADMIN_PASSWORD)
      const { headers } = await users.account('tx-271@example.com', 'READER')
      const { secret } = await users.token(headers, ['events:read'])
      const IDS = '{ testCase(id: "tax-table") { nodeId } component(id: "tax-table") { nodeId } }'
      const { testCase, component } = await users.run(IDS, admin)
      expect(testCase.nodeId).not.toBe(component.nodeId)
      const unknown = Buffer.from('TestCase:no-such-id').toString('base64url')
      const ids = [testCase.nodeId, component.nodeId, unknown, 'tax-table']
      const NODES = `query ($ids: [ID!]!) {
        nodes(ids: $ids) { __typename nodeId ... on TestCase { name } ... on Component { sourceCode } } }`
      expect((await users.run(NODES, headers, { ids })).nodes).toEqual([
        { __typename: 'TestCase', nodeId: ids[0], name: expect.any(String) },
        { __typename: 'Component', nodeId: ids[1], sourceCode: expect.any(String) },
        null,
        null,
      ])
      // An id that is forbidden hides no other, even of the same subgraph.
      const { secret: artifacts } = await users.token(headers, ['artifacts:read'])
      const forbiddenToo = Buffer.from('ExecutionResult:a').toString('base64url')
      expect(
        (await users.run(NODES, { token: artifacts }, { ids: [forbiddenToo, component.nodeId] }))
          .nodes,
      ).toEqual([
        null,
        { __typename: 'Component', nodeId: component.nodeId, sourceCode: expect.any(String) },
      ])
      const NODE = 'query ($id: ID!) { node(id: $id) { __typename nodeId } }'
      for (const forbidden of [{ token: secret }, NO_SIGN_IN])
        expect(await users.run(NODE, forbidden, { id: testCase.nodeId })).toEqual({ node: null })
    },
  },
  {
    id: 'TX-272',
    rule: 'POST /session MUST open a session whose cookie scripts cannot read; it counts in requests of own pages alone, and DELETE /session ends it.',
    check: async () => {
      const users = await withUsers()
      const at = `${users.url}/session`
      const opened = await fetch(at, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: ADMIN, password: ADMIN_PASSWORD }),
      })
      await opened.text()
      const [cookie = '', ...attributes] = (opened.headers.get('set-cookie') ?? '').split('; ')
      expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']))
      const readWith = async (headers: Record<string, string>) =>
        (await users.rest('GET', '/component/count', headers)).status
      expect(await readWith({ cookie })).toBe(200)
      expect(await readWith({ cookie, origin: 'https://evil.example' })).toBe(403)
      expect((await fetch(at, { method: 'DELETE', headers: { cookie } })).status).toBe(204)
      expect(await readWith({ cookie })).toBe(401)
    },
  },
  {
    id: 'TX-440',
    rule: 'Saved views MUST be seen by the user who saved them, and by all others if they are shared; sharing needs artifacts:write, and one view at most is a start page.',
    check: async () => {
      const users = await withUsers()
      const { headers: reader } = await users.account('tx-440@example.com', 'READER')
      const { headers: editor } = await users.account('tx-440-editor@example.com', 'EDITOR')
      const view = { name: 'Failed', address: '/executions?state=FAILED', isStartPage: true }
      const own = await users.rest('POST', '/view', reader, view)
      expect(own).toMatchObject({ status: 201, body: { ...view, isShared: false, isOwn: true } })
      expect((await users.rest('POST', '/view', reader, view)).status).toBe(409)
      const foreign = { ...view, name: 'Away', address: '//example.com/' }
      expect((await users.rest('POST', '/view', reader, foreign)).status).toBe(400)
      const shared = { ...view, name: 'Team', isShared: true }
      expect((await users.rest('POST', '/view', reader, shared)).status).toBe(403)
      const { body: team } = await users.rest('POST', '/view', editor, shared)
      const path = `/view/${team.id}`
      expect((await users.rest('DELETE', path, reader)).status).toBe(403)
      expect((await users.rest('PATCH', `/view/${own.body.id}`, editor, {})).status).toBe(404)
      await users.rest('POST', '/view', reader, { ...view, name: 'Later' })
      const { body: seen } = await users.rest('GET', '/view', reader)
      expect(seen).toMatchObject([
        { name: 'Failed', isStartPage: false },
        { name: 'Team', isOwn: false, isStartPage: false },
        { name: 'Later', isStartPage: true },
      ])
      expect((await users.rest('PATCH', path, editor, { isShared: false })).status).toBe(200)
      expect((await users.rest('GET', '/view', reader)).body).toHaveLength(2)
      expect((await users.rest('DELETE', `/view/${own.body.id}`, reader)).status).toBe(204)
    },
  },
  {
    id: 'TX-425',
    rule: 'POST /mcp MUST answer clients of 2025-11-25 and of 2026-07-28 where MCP=on, each request by its own body, and MUST be absent by default.',
    check: async () => {
      const { url } = await withUsers()
      const token = await tokenWith(['executions:read'])
      const old = await mcp(url, 'initialize', { protocolVersion: '2025-11-25' }, token)
      expect(old).toMatchObject({ status: 200, result: { protocolVersion: '2025-11-25' } })
      const meta = 'io.modelcontextprotocol/'
      const _meta = { [`${meta}protocolVersion`]: VERSION, [`${meta}clientCapabilities`]: {} }
      const headers = { 'mcp-protocol-version': VERSION, 'mcp-method': 'server/discover' }
      const discovered = await mcp(url, 'server/discover', { _meta }, { ...headers, ...token })
      expect(discovered).toMatchObject({ status: 200, result: { supportedVersions: [VERSION] } })
      const { origin } = new URL(product().base)
      expect((await fetch(`${origin}/mcp`, { method: 'POST' })).status).toBe(404)
    },
  },
  {
    id: 'TX-426',
    rule: 'A tool for assistants MUST do what its caller may over the graph, and nothing else.',
    check: async () => {
      const users = await withUsers()
      const id = await users.openScenario()
      const reader = await tokenWith(['executions:read'])
      await expect(callTool(users.url, 'run_test', { id }, reader)).rejects.toThrow(
        'needs executions:run (FORBIDDEN',
      )
      const runner = await tokenWith(['executions:read', 'executions:run'])
      const { data } = await callTool(users.url, 'run_test', { id }, runner)
      const read = { id: data.execute.id }
      const shown = await callTool(users.url, 'explain_failure', read, reader)
      expect(shown.data.executionResult).toMatchObject({ id: data.execute.id })
    },
  },
])
