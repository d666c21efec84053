import { jest } from '@jest/globals'
import type { Context } from '../../../cli/command.ts'
import { listEvents } from '../../../cli/commands/events.ts'
import { createTerminal } from '../../../cli/terminal.ts'

afterEach(() => jest.restoreAllMocks())

/** Text that a terminal has written to an output. */
function written(name: 'stdout' | 'stderr'): () => string {
  const spy = jest.spyOn(process[name], 'write').mockReturnValue(true)
  return () => spy.mock.calls.map(([text]) => text).join('')
}

test.each([
  ['a title of a window', '\u001b]0;mine\u0007', ''],
  ['an escape alone', 'a\u001b', 'a�'],
  ['a cursor that moves', 'a\u001b[2Kb\u009b1Ac', 'abc'],
  ['hidden text', '\u001b[8mhidden', 'hidden'],
  [
    'colours of a tool',
    'expected \u001b[32m2\u001b[39m got \u001b[31m3\u001b[39m',
    'expected 2 got 3',
  ],
  ['a line that is written over', 'FAILED\rCOMPLETED', 'FAILED�COMPLETED'],
  ['what stands in logs', 'a\tb\r\nc\n', 'a\tb\nc\n'],
])('%s', (_, text, shown) => {
  const stdout = written('stdout')
  const stderr = written('stderr')
  const terminal = createTerminal({ isJson: false, env: {} })
  terminal.text(text)
  terminal.line(text)
  terminal.note(text)
  expect(stdout()).toBe(`${shown}${shown}\n`)
  expect(stderr()).toBe(`${shown}\n`)
})

test('JSON is written as it is', () => {
  const stdout = written('stdout')
  createTerminal({ isJson: true, env: {} }).json({ text: '\u001b\u009b' })
  expect(JSON.parse(stdout())).toEqual({ text: '\u001b\u009b' })
})

test('JSON has no control character of a terminal as such', () => {
  const stdout = written('stdout')
  createTerminal({ isJson: true, env: {} }).json({ text: '\u007f\u009b1A' })
  expect(stdout()).toBe('{"text":"\\u007f\\u009b1A"}\n')
})

test('a title of an event stays in its line', async () => {
  const lines: string[] = []
  const event = {
    id: 'e',
    title: 'a\r\nCRITICAL b',
    severity: 'INFO',
    status: 'OPEN',
    timesSeen: 1,
  }
  await listEvents.run({
    ...{ args: [], options: {}, client: { rest: async () => ({ items: [event] }) } },
    terminal: { json: () => {}, line: (line: string) => lines.push(line) },
  } as unknown as Context) // only what is used
  expect(lines).toEqual(['e  INFO OPEN ×1  a CRITICAL b'])
})

test.each([
  [
    'GITHUB_ACTIONS',
    'a\n::error::no\n  ::set-output name=a::b',
    'a\n: :error::no\n  : :set-output name=a::b',
  ],
  ['GITHUB_ACTIONS', 'x ##[error]no', 'x # #[error]no'],
  ['GITHUB_ACTIONS', '\u001b[0m::error::no', ': :error::no'],
  ['TF_BUILD', 'x ##vso[task.setvariable]no', 'x # #vso[task.setvariable]no'],
  ['TEAMCITY_VERSION', "##teamcity[testFailed name='a']", "# #teamcity[testFailed name='a']"],
  ['CI', '::error::no ##[error]', '::error::no ##[error]'],
])('with %s, %j is no command of the build server', (name, text, shown) => {
  const stdout = written('stdout')
  const stderr = written('stderr')
  const terminal = createTerminal({ isJson: false, env: { [name]: 'true' } })
  terminal.line(text)
  terminal.note(text)
  expect(stdout()).toBe(`${shown}\n`)
  expect(stderr()).toBe(`${shown}\n`)
})

test('a command of our own stays one', () => {
  const stdout = written('stdout')
  createTerminal({ isJson: false, env: { GITHUB_ACTIONS: 'true' } }).command('::error::no')
  expect(stdout()).toBe('::error::no\n')
})

test('JSON holds no command of a build server, and the same value', () => {
  const stdout = written('stdout')
  createTerminal({ isJson: true, env: {} }).json({ a: '##[error]no' })
  expect(stdout()).not.toContain('##')
  expect(JSON.parse(stdout())).toEqual({ a: '##[error]no' })
})
