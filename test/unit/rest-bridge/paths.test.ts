import { requireJson } from '../../../gateway/http/body/read.ts'
import { allowedMethods, tidyUrl } from '../../../gateway/http/router.ts'
import { parseBoolean } from '../../../rest-bridge/parameters.ts'

test.each([
  ['/testcase//x/execute', '/testcase/x/execute'],
  ['//v1///events/', '/v1/events/'],
  ['/result/x?callbackUrl=http://a//b', '/result/x?callbackUrl=http://a//b'],
  ['/x?a=b?c', '/x?a=b?c'],
])('%s is tidied to %s', (url, tidy) => {
  expect(tidyUrl(url)).toBe(tidy)
})

test('a path that answers GET also answers HEAD', () => {
  expect(allowedMethods(['get'])).toBe('GET, HEAD, OPTIONS')
  expect(allowedMethods(['post'])).toBe('POST, OPTIONS')
})

test.each([
  ['true', true],
  ['TRUE', true],
  ['False', false],
  [undefined, false],
])('synchron=%s means %s', (text, expected) => {
  expect(parseBoolean('synchron', text)).toBe(expected)
})

test.each(['', 'yes', '1', 'true '])('synchron=%j is refused by name', (text) => {
  expect(() => parseBoolean('synchron', text)).toThrow('synchron: expected true or false')
})

test.each(['application/json', 'Application/JSON; charset=utf-8'])('%s is JSON', (type) => {
  expect(() => requireJson(type)).not.toThrow()
})

test.each([
  undefined,
  '',
  'text/plain',
  'application/jsonp',
  'application/problem+json',
  'multipart/form-data',
])('%s is not JSON', (type) => {
  expect(() => requireJson(type)).toThrow('expected application/json')
})
