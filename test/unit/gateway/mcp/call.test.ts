import { pino } from 'pino'
import { createCalls } from '../../../../gateway/mcp/call.ts'
import { mcpSettings } from '../../../../gateway/mcp/settings.ts'
import type { Tool } from '../../../../gateway/mcp/tools.ts'
import { openCaller } from '../../../../platform/access/caller.ts'

const log = pino({ level: 'silent' })

const tool = (writes: boolean): Tool => ({
  ...{ name: 'read', description: 'Reads.', document: 'query read { a }', writes },
  ...{ takesCredentials: false, needs: 'anyone' },
  inputSchema: { type: 'object', properties: {} },
  dataSchema: { type: 'object', properties: { a: { type: 'integer' } } },
})

const by = (user: string) => ({ caller: { ...openCaller('test'), user } })

/** Calls whose operations end when a test says so. */
function calls(given: { MCP_MAX_CALLS?: number; MCP_TOOL_SECONDS?: number }) {
  const open: { user: string | null; end(): void }[] = []
  const settings = mcpSettings({
    ...{ MCP: 'on', MCP_WRITE: 'off', MCP_MAX_RESULT: 32_000 },
    ...{ MCP_MAX_CALLS: 1, MCP_TOOL_SECONDS: 1, ...given },
  })
  const run = (_variables: unknown, { caller }: ReturnType<typeof by>) =>
    new Promise((resolve) =>
      open.push({ user: caller.user, end: () => resolve({ data: { a: 1 } }) }),
    )
  const operations = { prepare: async () => ({ run }) }
  // The calls use `prepare` alone.
  return { open, call: createCalls(operations as never, settings, log) }
}

const began = async (open: readonly unknown[], count: number) => {
  while (open.length < count) await new Promise(setImmediate)
}

test('callers take turns, so many calls of one delay another by one at a time', async () => {
  const { open, call } = calls({ MCP_TOOL_SECONDS: 30 })
  const all = ['ann', 'ann', 'ann', 'ben'].map((user) => call(tool(false), {}, by(user)))
  for (let n = 1; n <= all.length; n++) {
    await began(open, n)
    open[n - 1]?.end()
  }
  await Promise.all(all)
  expect(open.map(({ user }) => user)).toEqual(['ann', 'ann', 'ben', 'ann'])
})

test('a call that takes too long is an error that says whether it may still take effect', async () => {
  const { call } = calls({ MCP_MAX_CALLS: 2 })
  const [read, write] = await Promise.all(
    [false, true].map((writes) => call(tool(writes), {}, by('ann'))),
  )
  expect([read?.isError, write?.isError]).toEqual([true, true])
  expect(read?.content[0]?.text).toMatch(/longer than 1 s \(MCP_TOOL_SECONDS\)\. Ask for less/)
  expect(write?.content[0]?.text).toMatch(/It may still take effect.*\(DOWNSTREAM_TIMEOUT, request/)
})

test('a call that gets no place in half of its time says when to call again', async () => {
  const { open, call } = calls({})
  const first = call(tool(false), {}, by('ann'))
  await began(open, 1)
  const { isError, content } = await call(tool(false), {}, by('ben'))
  expect([isError, content[0]?.text]).toEqual([
    true,
    expect.stringMatching(/MCP_MAX_CALLS is 1\) \(OVERLOADED, request .*Wait 1 s, then call again/),
  ])
  open[0]?.end()
  await first
  expect(open).toHaveLength(1)
})
