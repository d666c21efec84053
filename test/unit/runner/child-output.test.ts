import { explainError } from '../../../runner/run/explain-error.ts'
import { sanitize } from '../../../runner/run/mask.ts'
import { asChildMessage, createMessageReader } from '../../../runner/sandbox/child-message.ts'
import { exitReason } from '../../../runner/sandbox/component-process.ts'

const upTo = (maximum: number) => (bytes: number) => {
  if (bytes > maximum) throw new RangeError('too long')
}

test('messages are cut at line ends, wherever the chunks end', () => {
  const read = createMessageReader(upTo(100))
  const bytes = Buffer.from('{"a":"ü"}\n[1]\n2')
  const lines = [...bytes].flatMap((byte) => [...read(Buffer.from([byte]))])
  expect(lines).toEqual([
    { value: { a: 'ü' }, bytes: 10 },
    { value: [1], bytes: 3 },
  ])
  expect([...read(Buffer.from('3\n'))]).toEqual([{ value: 23, bytes: 2 }])
})

test.each([
  ['a long line', ['x'.repeat(11)]],
  ['a line that grows over chunks', ['x'.repeat(6), 'x'.repeat(6)]],
  ['a long line with its end', [`${'1'.repeat(11)}\n`]],
  ['what is no JSON', ['nonsense\n']],
])('%s is refused', (_, chunks) => {
  const read = createMessageReader(upTo(10))
  expect(() => chunks.map((chunk) => [...read(Buffer.from(chunk))])).toThrow()
})

test('a line is neither checked nor parsed before the one before it was taken', () => {
  let maximum = 10
  const read = createMessageReader((bytes) => upTo(maximum)(bytes))
  const messages = read(Buffer.from('[1111111]\n[1111111]\nnonsense\n'))
  expect(messages.next().value).toMatchObject({ value: [1111111] })
  maximum = 5
  expect(() => messages.next()).toThrow('too long')
})

test.each([
  null,
  1,
  'READY',
  [],
  {},
  { kind: 'toString' },
  { kind: 'READY' },
  { kind: 'LOG', run: '1' },
  { kind: 'RESULT', run: 1 },
  { kind: 'ERROR', run: 1, id: '1' },
])('%j is no message', (value) => {
  expect(() => asChildMessage(value)).toThrow(TypeError)
})

test('only what has the right shape is taken from a message', () => {
  const forged = {
    kind: 'ERROR',
    run: 1,
    id: 1,
    hits: [1, -1, 1.5, '2', null, 3],
    error: { message: {}, name: 'E', extra: 1 },
  }
  const error = { name: 'E', message: '', stack: '', code: '' }
  expect(asChildMessage(forged)).toEqual({ kind: 'ERROR', run: 1, id: 1, hits: [1, 3], error })
  expect(asChildMessage({ kind: 'LOG', run: 2, level: 'FATAL' })).toEqual({
    kind: 'LOG',
    run: 2,
    level: 'INFO',
    text: '',
  })
  expect(asChildMessage({ kind: 'RESULT', run: 1, id: 1, hits: 'x', value: 5 })).toMatchObject({
    hits: [],
    value: 5,
  })
})

test.each([
  [null, 'SIGABRT', 'FATAL ERROR: Reached heap limit Allocation failed', 'MEMORY_LIMIT'],
  [125, null, 'walls: user: unshare: Operation not permitted', 'SANDBOX_UNAVAILABLE'],
  [null, 'SIGSEGV', '', 'CRASHED'],
  [7, null, '', 'CRASHED'],
] as const)('an exit with %p %p %p is %s', (code, signal, stderr, expected) => {
  expect(exitReason({ code, signal, stderr, hasFlooded: false })).toMatchObject({ code: expected })
})

test('an exit after a flood of error output is OUTPUT_LIMIT, whatever was written', () => {
  const end = { code: null, signal: 'SIGKILL', stderr: 'out of memory', hasFlooded: true } as const
  expect(exitReason(end)).toMatchObject({ code: 'OUTPUT_LIMIT' })
})

const component = { name: 'Tax', lineOf: (line: number) => line + 1 }
const stack = 'Error: x\n    at f (component:under-test:4:7)'

test.each([
  [
    { name: 'TypeError', message: 'x', stack, code: '' },
    'SCRIPT_ERROR',
    'TypeError: x (Tax, line 5)',
  ],
  [{ name: '', message: "'text'", stack: '', code: '' }, 'SCRIPT_ERROR', "Thrown: 'text'"],
  [
    { name: 'Error', message: 'x', stack, code: 'ERR_ACCESS_DENIED' },
    'FORBIDDEN',
    'x (Tax, line 5)',
  ],
  [{ name: 'Error', message: 'x', stack: '', code: 'toString' }, 'SCRIPT_ERROR', 'Error: x'],
  [
    { name: 'RangeError', message: 'Array buffer allocation failed', stack: '', code: '' },
    'MEMORY_LIMIT',
    'The component asked for more memory than it may',
  ],
])('%j is explained', (error, code, message) => {
  expect(explainError(error, component)).toMatchObject({ code, message })
})

test('what a database cannot hold is replaced', () => {
  const hostile = JSON.parse('{"a\\u0000": ["\\ud800", 1], "__proto__": "\\u0000"}')
  expect(JSON.stringify(sanitize(hostile))).toBe('{"a�":["�",1],"__proto__":"�"}')
})
