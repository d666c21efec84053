import { differenceTo } from '../../../web/src/executions/difference.ts'

test.each([
  ['0.45', '0.42', ['0.4', '2', '']],
  ['{"a": 1, "b": 2}', '{"a": 10, "b": 2}', ['{"a": 1', '0', ', "b": 2}']],
  ['11', '111', ['11', '1', '']],
  ['111', '11', ['11', '', '']],
  ['same', 'same', ['same', '', '']],
  ['', 'new', ['new', '', '']], // all of it differs: a mark would say nothing
  ['yes', 'no', ['no', '', '']],
  ['{"a": true}', '{"a": false}', ['{"a": ', 'false', '}']],
  ['{"a": false}', '{"a": true}', ['{"a": ', 'true', '}']],
  ['the state is open', 'the state is opened', ['the state is ', 'opened', '']],
  ['a😀z', 'a😁z', ['a', '😁', 'z']],
  ['a😀z', 'a🨀z', ['a', '🨀', 'z']],
])('beside %j, %j differs in its middle', (other, text, parts) => {
  expect(differenceTo(other, text)).toEqual(parts)
})
