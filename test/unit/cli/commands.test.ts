import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseCommand } from '../../../cli/arguments.ts'
import type { Context } from '../../../cli/command.ts'
import { timeOf } from '../../../cli/commands/run.ts'
import { serve } from '../../../cli/commands/serve.ts'
import { validate } from '../../../cli/commands/validate.ts'
import { COMMANDS } from '../../../cli/commands.ts'
import { CommandError, EXIT } from '../../../cli/exit-codes.ts'
import { textDiff } from '../../../cli/folder/change-lines.ts'
import { programOf } from '../../../cli/program.ts'
import { resumed } from '../../../cli/resumed.ts'
import { serverEvents } from '../../../cli/sse.ts'
import { cut } from '../../../cli/terminal.ts'

test.each<[string, string, readonly string[], object]>([
  [
    'run a b --label x=1 --label y=2 --json',
    'run',
    ['a', 'b'],
    { label: ['x=1', 'y=2'], json: true },
  ],
  ['events send --title x', 'events send', [], { title: 'x' }],
  ['apply -f dir --dry-run', 'apply', [], { file: ['dir'], 'dry-run': true }],
  ['run --help', 'help', ['run'], {}],
  ['events', 'help', ['events'], {}],
  ['', 'help', [], {}],
  ['--version', 'version', [], {}],
  ['--json', 'help', [], {}],
])('%s', (line, name, args, options) => {
  const parsed = parseCommand(line.split(' ').filter(Boolean))
  expect({ ...parsed, command: parsed.command.name }).toEqual({
    command: name,
    args,
    options: expect.objectContaining(options),
  })
})

test.each([
  ['--junit', /Expected a command before --junit/],
  ['fly', /no command fly/],
  ['events fly', /no command events fly/],
  ['cancel', /cancel takes <result/],
  ['export a --kind scenario', /^--kind is scenario: expected .*testcase/],
  ['events send --title -x', /^[^\n]*'--title=-XYZ'\. See assay help events send$/],
  ['run a --colour', /Unknown option '--colour'.* See assay help run/],
])('%s is refused', (line, message) => {
  expect(() => parseCommand(line.split(' '))).toThrow(message)
})

test.each([
  ['/repo/assay.mjs', 'node assay.mjs'],
  ['/repo/ci/assay.js', 'node ci/assay.js'],
  ['/repo/node_modules/.bin/assay', 'npx assay'],
  ['/usr/bin/assay', 'assay'],
])('hints of %s begin with %s', (file, program) => {
  expect(programOf(file, '/repo')).toBe(program)
})

test.each([
  ['colours take no room', '\u001b[32mabc\u001b[39mdef', 4, '\u001b[32mabc\u001b[39md'],
  ['a wide character takes two columns', '等待ab', 5, '等待a'],
  ['a wide character is not shown by half', 'a待b', 2, 'a'],
  ['an emoji is not cut into halves', '🚀🚀', 3, '🚀'],
])('of a line that is cut: %s', (_, line, width, kept) => {
  expect(cut(line, width)).toBe(kept)
})

test('no command hides another one, and each says what it does', () => {
  const names = COMMANDS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { does } of COMMANDS) expect(does).toMatch(/^[a-z]/)
})

test.each([
  ['90s', 90_000],
  ['5', 5_000],
  ['10m', 600_000],
  ['2147483647ms', 2_147_483_647],
  [undefined, null],
])('a time of %s', (text, ms) => {
  expect(timeOf(text)).toBe(ms)
})

test.each(['600h', '2147483648ms', 'soon'])('a time of %s is refused', (text) => {
  expect(() => timeOf(text)).toThrow(`--timeout is ${text}: expected`)
})

test('a difference shows the lines that differ with some around', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f']
  const after = ['a', 'b', 'c', 'X', 'e', 'f']
  expect(textDiff(before, after)).toEqual(['  b', '  c', '- d', '+ X', '  e', '  f'])
})

test.each<[string, CommandError]>([
  ['breaks', new CommandError(EXIT.unreachable, 'away')],
  ...['DOWNSTREAM_UNREACHABLE', 'DOWNSTREAM_TIMEOUT', 'OVERLOADED', 'SLOW_CONSUMER'].map(
    (code): [string, CommandError] => [
      `ends with ${code}`,
      new CommandError(EXIT.refused, 'away', code),
    ],
  ),
])('a stream that %s goes on behind its last item', async (_, loss) => {
  const opened: (string | null)[] = []
  const items = resumed({
    async *open(after) {
      opened.push(after)
      yield `${opened.length}`
      if (opened.length === 1) throw loss
      if (opened.length === 2) throw new CommandError(EXIT.refused, 'no longer', 'NOT_FOUND')
    },
    cursorOf: (item) => `after ${item}`,
    first: null,
    tryAgainMs: 0,
    signal: new AbortController().signal,
  })
  const seen: string[] = []
  const reading = async () => {
    for await (const item of items) seen.push(item)
  }
  await expect(reading()).rejects.toThrow('no longer')
  expect(seen).toEqual(['1', '2'])
  expect(opened).toEqual([null, 'after 1'])
})

test.each([
  ['was open waits for as long as it takes', true, 30],
  ['was never open is given up', false, 10],
])('a stream that %s', async (_, isOpen, tries) => {
  let opened = 0
  const items = resumed<string>({
    // biome-ignore lint/correctness/useYield: it never gets to its first item
    async *open(_after, onOpen) {
      if (isOpen && opened === 0) onOpen()
      if (++opened === 30) throw new CommandError(EXIT.refused, 'no longer')
      throw new CommandError(EXIT.unreachable, 'away')
    },
    cursorOf: (item) => item,
    first: null,
    tryAgainMs: 0,
    signal: new AbortController().signal,
  })
  await expect(items.next()).rejects.toThrow(isOpen ? 'no longer' : 'away')
  expect(opened).toBe(tries)
})

test('the command without the product beside it says where the product starts', async () => {
  const context = {} as Context // it reads nothing of it
  await expect(async () => serve.run(context)).rejects.toThrow(
    /command alone.*npm start in a clone/,
  )
})

test('Server-Sent Events are read across chunks', async () => {
  const parts = [': hi\n\nevent: ne', 'xt\ndata: {"a":\ndata: 1}\n', '\nevent: complete\n\n']
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
      controller.close()
    },
  })
  const events: object[] = []
  for await (const event of serverEvents(body, () => {})) events.push(event)
  expect(events).toEqual([
    { event: 'next', data: '{"a":\n1}' },
    { event: 'complete', data: '' },
  ])
})

test('a folder without artifacts is not valid, but a mistake', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-no-artifacts-'))
  const context = { args: [folder], env: {}, options: {} } as unknown as Context
  await expect(validate.run(context)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('There is no artifact file in'),
  })
  await rm(folder, { recursive: true })
})
