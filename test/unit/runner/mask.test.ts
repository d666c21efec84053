import { createMask } from '../../../runner/run/mask.ts'

const mask = createMask({ userId: 'ann', password: 'p"ä 1%' })

test.each([
  ['as it is', 'it is p"ä 1%!', 'it is ***!'],
  ['inside JSON', JSON.stringify({ a: 'p"ä 1%' }), '{"a":"***"}'],
  ['in a header that came as UTF-8', Buffer.from('=p"ä 1%').toString('latin1'), '=***'],
  ['percent-encoded', 'x=p%22%C3%A4%201%25', 'x=***'],
  ['in a form', 'x=p%22%C3%A4+1%25', 'x=***'],
  ['in Base64', Buffer.from('p"ä 1%').toString('base64'), '***'],
  ['in a header', `Basic ${Buffer.from('ann:p"ä 1%').toString('base64')}`, 'Basic ***'],
])('a password is masked %s', (_, text, masked) => {
  expect(mask.text(text)).toBe(masked)
})

test.each([
  ['Python', String.raw`\u00e4/<\ud83d\ude00>&+'=\"\n`],
  ['PHP', String.raw`\u00e4\/<\ud83d\ude00>&+'=\"\n`],
  ['PHP with JSON_UNESCAPED_UNICODE', String.raw`ä\/<😀>&+'=\"\n`],
  ['Go', String.raw`ä/\u003c😀\u003e\u0026+'=\"\n`],
  ['Gson', String.raw`ä/\u003c😀\u003e\u0026+\u0027\u003d\"\n`],
  ['.NET', String.raw`\u00E4/\u003C\uD83D\uDE00\u003E\u0026\u002B\u0027=\u0022\n`],
])('a secret is masked in JSON as %s escapes it', (_, escaped) => {
  const secret = 'ä/<😀>&+\'="\n'
  expect(JSON.parse(`"${escaped}"`)).toBe(secret)
  expect(createMask(null, [secret]).text(`{"a":"${escaped}"}`)).toBe('{"a":"***"}')
})

test('JSON is masked in keys, strings and numbers, and keeps its shape', () => {
  const { value } = createMask({ userId: 'u', password: '4711' })
  expect(value({ a: [4711, '-4711-', 47, null, true], k4711: {} })).toEqual({
    a: ['***', '-***-', 47, null, true],
    'k***': {},
  })
  const hostile = JSON.parse('{"__proto__": {"a": "4711"}}')
  expect(JSON.stringify(value(hostile))).toBe('{"__proto__":{"a":"***"}}')
})

test.each([undefined, { userId: 'u', password: '' }])(
  'without a password nothing changes',
  (credentials) => {
    expect(createMask(credentials).text('a b')).toBe('a b')
    expect(createMask(credentials).value({ a: '' })).toEqual({ a: '' })
  },
)

test('a password too short to hide leaves texts readable, but its header is masked', () => {
  const { text } = createMask({ userId: 'u', password: 'b' })
  expect(text('but')).toBe('but')
  expect(text(`Basic ${Buffer.from('u:b').toString('base64')}`)).toBe('Basic ***')
})

test('of a secret with several lines, each is masked', () => {
  const key = '-----BEGIN-----\nMIIEvQ==\n-----END-----'
  expect(createMask(null, [key]).text('b: MIIEvQ== c')).toBe('b: *** c')
})

test.each(["O'Neil!2024", 'k{1}"x y', 'p$ss=word9', 'a[b]|c^d`e', 'a/b?c\'d#e"f g', 'ö:ä+b&c'])(
  'the secret %s is masked in each part of a URL',
  (secret) => {
    const { text } = createMask(null, [secret])
    const url = new URL('http://host')
    url.username = secret
    url.password = secret
    url.pathname = `/${secret}/x`
    url.search = `?k=${secret}&x`
    url.hash = `#${secret}.`
    expect(text(url.href)).toBe('http://***:***@host/***/x?k=***&x#***.')
    const small = url.href.replace(/%../g, (code) => code.toLowerCase())
    expect(text(small)).toBe('http://***:***@host/***/x?k=***&x#***.')
    expect(text(new URL(`http://host/${secret}`).href)).toBe('http://host/***')
    expect(text(new URL(`http://host/?k=${secret}`).href)).toBe('http://host/?k=***')
  },
)

test('a user and a password that are one secret are masked in front of a host', () => {
  expect(createMask(null, ['ann:p$ss=word9']).text('https://ann:p$ss%3Dword9@host')).toBe(
    'https://***@host',
  )
})
