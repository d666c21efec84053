import { parseCredentials } from '../../../rest-bridge/parameters.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each([
  ['plain Base64', base64('ci:secret'), { userId: 'ci', password: 'secret' }],
  ['percent-encoded Base64', encodeURIComponent(base64('ci:s')), { userId: 'ci', password: 's' }],
  [
    'percent-encoded Base64 in lines',
    encodeURIComponent(`${base64(`ci:${'s'.repeat(54)}`)}\r\n${base64('end')}\r\n`),
    { userId: 'ci', password: `${'s'.repeat(54)}end` },
  ],
  ['a password with colons', base64('ci:a:b'), { userId: 'ci', password: 'a:b' }],
  ['an empty password', base64('ci:'), { userId: 'ci', password: '' }],
  ['letters beyond ASCII', base64('jürgen:grün'), { userId: 'jürgen', password: 'grün' }],
])('%s is read', (_, header, expected) => {
  expect(parseCredentials(header)).toEqual(expected)
})

test.each([
  ['nothing', undefined, 'is missing'],
  ['no Base64', 'ci:secret', 'is malformed'],
  ['no colon', base64('cisecret'), 'is malformed'],
  ['a zero byte', base64('c\0i:secret'), 'is malformed'],
  ['no user id', base64(':secret'), 'is malformed'],
  ['broken percent-encoding', 'Y2k6c2VjcmV0%3', 'is malformed'],
  ['bytes that are no text', Buffer.from([0xff, 0x3a, 0xfe]).toString('base64'), 'is malformed'],
])('%s is refused without repeating it', (_, header, expected) => {
  const read = () => parseCredentials(header)
  expect(read).toThrow(expected)
  expect(read).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }))
  if (header) expect(read).not.toThrow(header)
})
