import { parseBounded } from '../../../formats/json/json.ts'

const SECRET = 'Bearer eyJhbGciOi'

test.each([
  ['{"title": "x",, }', 'Expected double-quoted property name (line 1 column 15)'],
  ['[\n  {"a": 1}\n  {"a": 2}\n]', "Expected ',' or ']' after array element (line 3 column 3)"],
  [`{"token": ${SECRET}}`, "Unexpected token 'B'"],
  [`\n${SECRET}`, "Unexpected token 'B'"],
  ['{"a": ', 'Unexpected end of JSON input'],
])('%j is refused with what is wrong, and nothing of its text', (body, fault) => {
  expect(() => parseBounded(Buffer.from(body))).toThrow(
    expect.objectContaining({
      code: 'BAD_USER_INPUT',
      message: `The request body is not valid JSON: ${fault}`,
    }),
  )
})
