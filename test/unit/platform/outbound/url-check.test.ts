import { createOutbound } from '../../../../platform/outbound/outbound.ts'

const outbound = createOutbound({
  allow: [],
  ownPorts: [],
  resolve: () => Promise.reject(new Error('a check asks nobody')),
})

test.each([
  'https://example.com/hook?key=value#part',
  'http://example.com:8080',
  'HTTPS://EXAMPLE.COM',
  'http://1.1.1.1/',
  'http://[2606:4700:4700::1111]/',
  'http://receiver/',
  'http://localhost/', // a name: it is judged by what it resolves to
  'http://127.0.0.1.example.com/',
])('%s is accepted', (url) => {
  expect(outbound.check(url)).toBeInstanceOf(URL)
})

test('a URL that is too long is refused for its length', () => {
  const longest = 'http://example.com/'.padEnd(2_048, 'a')
  expect(outbound.check(longest)).toBeInstanceOf(URL)
  expect(() => outbound.check(`${longest}a`)).toThrow(
    'expected a URL of at most 2048 characters, not 2049',
  )
})

test.each([
  ['no URL', ['', ' ', 'example.com', '/hook', '//example.com', 'http://', 'http://a b/']],
  ['another scheme', ['ftp://example.com', 'file:///etc/passwd', 'javascript:1', 'data:,x']],
  ['a port that cannot be', ['http://example.com:99999/']],
  ['too long', [`http://example.com/${'a'.repeat(2_048)}`]],
  [
    'a user or a password',
    ['http://me@example.com/', 'http://me:pw@1.1.1.1/', 'http://1.1.1.1:80@127.0.0.1/'],
  ],
  ['decimal', ['http://2130706433/', 'http://3232235777/']],
  ['octal', ['http://0177.0.0.1/', 'http://017700000001/', 'http://0300.0250.1.1/']],
  ['hexadecimal', ['http://0x7f.0.0.1/', 'http://0x7f000001/', 'http://0x7F.1/']],
  ['shortened', ['http://127.1/', 'http://127.0.1/', 'http://0/', 'http://10.1/']],
  ['a dot at the end', ['http://127.0.0.1./', 'http://0x7f.1./']],
  ['percent-encoded', ['http://127.0.0.%31/', 'http://%31%32%37.0.0.1/']],
  ['full-width digits and circled ones', ['http://127。0。0。1/', 'http://①②⑦.0.0.①/']],
  ['a backslash or a line break inside', ['http:\\\\127.0.0.1\\', 'http://127.0.\n0.1/']],
  ['IPv6 loopback', ['http://[::1]/', 'http://[0:0:0:0:0:0:0:1]:80/', 'http://[::]/']],
  ['IPv4 in IPv6', ['http://[::ffff:127.0.0.1]/', 'http://[::ffff:7f00:1]/', 'http://[::7f00:1]/']],
  ['translated IPv4', ['http://[64:ff9b::7f00:1]/', 'http://[2002:7f00:1::]/']],
  ['private and link-local', ['http://192.168.0.1/', 'http://[fe80::1]/', 'http://[fd00::1]/']],
  ['metadata', ['http://169.254.169.254/latest/meta-data/', 'http://[fd00:ec2::254]/']],
])('refused: %s', (_, urls) => {
  for (const url of urls)
    expect(() => outbound.check(url)).toThrow(expect.objectContaining({ reason: 'FORBIDDEN' }))
})

test('callers without a sign-in reach public addresses alone, whatever OUTBOUND_ALLOW adds', () => {
  const near = createOutbound({ allow: ['127.0.0.0/8', '10.0.0.0/8'], ownPorts: [] })
  for (const url of ['http://127.0.0.1/', 'http://10.1.2.3/']) {
    expect(near.check(url)).toBeInstanceOf(URL)
    expect(() => near.check(url, true)).toThrow('callers without a sign-in reach public ones alone')
  }
  expect(near.check('http://1.1.1.1/', true)).toBeInstanceOf(URL)
})
