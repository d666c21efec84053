import { FORMATS, originsOf } from '../../../platform/settings/formats.ts'

test.each([
  ['', []],
  ['*', ['*']],
  ['https://a.example, http://localhost:3000', ['https://a.example', 'http://localhost:3000']],
])('CORS_ORIGINS=%j lists %j', (text, origins) => {
  expect(FORMATS['origin-list']?.test(text)).toBe(true)
  expect(originsOf(text)).toEqual(origins)
})

test.each(['a.example', 'https://a.example/', 'https://a.example/x', 'https://*.example', 'null'])(
  '%j lists no origin',
  (text) => {
    expect(FORMATS['origin-list']?.test(text)).toBe(false)
  },
)
