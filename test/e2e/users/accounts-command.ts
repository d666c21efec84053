import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { assay } from '../../support/e2e/product.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client } from '../../support/e2e/users.ts'

describe('accounts command', () => {
  const COMMAND = fileURLToPath(new URL('../../../dist/accounts-command.js', import.meta.url))
  const READ = '/component/count'

  /** Runs it beside the product, on the same store. @throws what it says when it fails */
  async function accounts(...args: string[]): Promise<string> {
    const env = { ...process.env, ...assay().env }
    const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...args], { env })
    return stdout.trim()
  }

  const lineOf = (account: { email: string; role: string; active: boolean }): string =>
    `${account.email}\t${account.role.toLowerCase()}\t${account.active ? 'active' : 'off'}`

  test('accounts and tokens are managed while the product runs, which knows at once', async () => {
    const client = new Client(assay().url)
    const statusFor = async (user: string, password: string) =>
      (await client.rest('GET', READ, basic(user, password))).status

    const { accounts: known } = await client.run(
      '{ accounts { nodes { email role active } } }',
      basic(ADMIN, ADMIN_PASSWORD),
    )
    const before: string[] = known.nodes.map(lineOf)
    expect(before).toContain(`${ADMIN}\tadmin\tactive`)
    const password = await accounts('add', 'ci@example.com', 'runner')
    expect(await statusFor('ci@example.com', password)).toBe(200)
    expect((await accounts('list')).split('\n')).toEqual(
      [...before, 'ci@example.com\trunner\tactive'].sort(),
    )

    const secret = await accounts('token', 'ci@example.com', 'Jenkins', 'artifacts:read', '30')
    expect(await statusFor('ci@example.com', secret)).toBe(200)
    const [id = '', name, scopes] = (await accounts('tokens', 'ci@example.com')).split('\t')
    expect([name, scopes]).toEqual(['Jenkins', 'artifacts:read'])
    for (const days of [[], ['never']])
      await accounts('token', 'ci@example.com', 'Another', 'artifacts:read', ...days)
    const [, usual, lasting] = (await accounts('tokens', 'ci@example.com')).split('\n')
    const end = Date.parse(usual?.split('\t')[3] ?? '')
    expect(Math.round((end - Date.now()) / 86_400_000)).toBe(90)
    expect(lasting?.split('\t')[3]).toBe('never')
    await accounts('revoke', id)
    expect(await statusFor('ci@example.com', secret)).toBe(401)

    const other = await accounts('password', 'ci@example.com')
    expect(await statusFor('ci@example.com', password)).toBe(401)
    expect(await statusFor('ci@example.com', other)).toBe(200)
    await accounts('off', 'ci@example.com')
    expect(await statusFor('ci@example.com', other)).toBe(401)
    await accounts('remove', 'ci@example.com')
    expect((await accounts('list')).split('\n')).toEqual(before)

    const LOG = '{ auditLog(filter: { action: "accounts add" }) { nodes { target requestId } } }'
    expect(await client.run(LOG, basic(ADMIN, ADMIN_PASSWORD))).toEqual({
      auditLog: { nodes: [{ target: 'ci@example.com', requestId: 'npm run accounts' }] },
    })
  })

  test.each([
    [['off', ADMIN], 'No active administrator would be left'],
    [['token', ADMIN, 'x', 'everything'], 'scopes: expected some of artifacts:read'],
  ])('%j is refused with a reason', async (args, reason) => {
    await expect(accounts(...args)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(reason),
    })
  })

  test('without a command it says what it can do', async () => {
    await expect(accounts()).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('add <email> <role>'),
    })
  })
})
