import { jest } from '@jest/globals'
import type { Context } from '../../../cli/command.ts'
import { listEvents } from '../../../cli/commands/events.ts'
import { createTerminal } from '../../../cli/terminal.ts'

afterEach(() => jest.restoreAllMocks())

/** What a terminal has written to an output. */
function written(name: 'stdout' | 'stderr'): () => string {
  const spy = jest.spyOn(process[name], 'write').mockReturnValue(true)
  return () => spy.mock.calls.map(([text]) => text).join('')
}

test.each([
  ['a title of a window', '\u001b]0;mine\u0007', '�]0;mine�'],
  ['a cursor that moves', 'a\u001b[2Kb\u009b1Ac', 'a�[2Kb�1Ac'],
  ['hidden text', '\u001b[8mhidden', '�[8mhidden'],
  ['a line that is written over', 'FAILED\rCOMPLETED', 'FAILED�COMPLETED'],
  ['what stands in logs', 'a\tb\r\nc\n\u001b[31mred\u001b[39m', 'a\tb\nc\n\u001b[31mred\u001b[39m'],
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
  createTerminal({ isJson: true, env: {} }).json('\u001b\u009b')
  expect(JSON.parse(stdout())).toBe('\u001b\u009b')
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
