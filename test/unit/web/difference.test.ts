import { differenceTo } from '../../../web/src/executions/difference.ts'

test.each([
  ['0.45', '0.42', ['0.4', '2', '']],
  ['{"a": 1, "b": 2}', '{"a": 10, "b": 2}', ['{"a": 1', '0', ', "b": 2}']],
  ['aa', 'aaa', ['aa', 'a', '']],
  ['aaa', 'aa', ['aa', '', '']],
  ['same', 'same', ['same', '', '']],
  ['', 'new', ['new', '', '']], // all of it differs: a mark would say nothing
  ['yes', 'no', ['no', '', '']],
  ['a😀z', 'a😁z', ['a', '😁', 'z']],
  ['a😀z', 'a🨀z', ['a', '🨀', 'z']],
])('beside %j, %j differs in its middle', (other, text, parts) => {
  expect(differenceTo(other, text)).toEqual(parts)
})
