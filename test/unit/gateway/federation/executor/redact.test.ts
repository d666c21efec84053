import { redactAll, redactorOf } from '../../../../../gateway/federation/executor/redact.ts'
import { leastProcessorMs } from '../../../../support/processor-ms.ts'

test.each([
  ['connect ECONNREFUSED http://10.0.0.5:4001/graphql', 'connect ECONNREFUSED [url]'],
  ['Post "https://shop.svc/graphql?a=b": EOF', 'Post "[url]": EOF'],
  ['see (http://inside/a). Twice: ws://inside/b, ok', 'see ([url]). Twice: [url], ok'],
  ['postgres://ada:secret@db/shop failed', '[url] failed'],
  ['1http://inside, redis://:secret@db', '1[url], [url]'],
  ['at file:///srv/app/main.js:3', 'at [url]'],
  ['http://[::1]:4001/graphql failed', '[url] failed'],
  ['connect ECONNREFUSED 127.0.0.1:4001', 'connect ECONNREFUSED [address]'],
  ['connect ECONNREFUSED ::1:4001', 'connect ECONNREFUSED [address]'],
  ['connect ECONNREFUSED [fd00::12]:80', 'connect ECONNREFUSED [address]'],
  ['fd00:1:2::12:80, [::ffff:10.0.0.1]:80', '[address], [address]'],
  ['//192.168.1.7:80/x', '//[address]/x'],
  ['172.16.0.1:1 172.31.255.1:1 169.254.169.254:80', '[address] [address] [address]'],
  ['localhost:5432 and db.shop.internal:5432', '[address] and [address]'],
  ["ENOENT: open '/srv/app/secret.json'", "ENOENT: open '[path]'"],
  [
    "ENOENT: no such file or directory, open '/config'",
    "ENOENT: no such file or directory, open '[path]'",
  ],
  ['getaddrinfo ENOTFOUND users-db', 'getaddrinfo ENOTFOUND [address]'],
  ['getaddrinfo EAI_AGAIN users-db.example.com', 'getaddrinfo EAI_AGAIN [address]'],
  ['connect ETIMEDOUT 10.0.0.5', 'connect ETIMEDOUT [address]'],
  ['connect ECONNREFUSED 203.0.113.9:5432', 'connect ECONNREFUSED [address]'],
  ['orders.default.svc.cluster.local, orders.default.svc:8080', '[address], [address]'],
  ['db.prod.example.com:5432 is away', '[address] is away'],
  ['unix:/var/run/pg.sock and /etc/secrets', 'unix:[path] and [path]'],
  ['on \\\\server\\share\\x', 'on [path]'],
  ['Error: x    at foo (src/a.ts:10:3)', 'Error: x   '],
  ['\tat com.acme.Foo.bar(Foo.java:12)', ''],
  ['x is no function (/srv/app/main.js:7:12)', 'x is no function ([path])'],
  ['in C:\\app\\main.js', 'in [path]'],
  ['Boom\n    at run (/srv/app/main.js:7:12)\n    at node:internal/x:1\nend', 'Boom\nend'],
])('%s', (text, told) => {
  expect(redactAll(text)).toBe(told)
})

test.each([
  'callbackUrl: expected a URL that begins with http:// or https://',
  'from 10:30 to 11:45, ratio 3:4, shop:v2, name:port',
  'http://..., version 10.0.0.1 of 10.0.2:80 and 172.32.0.1:80 and 8.8.8.8:53',
  'mylocalhost:1 is no address, nor is localhost alone',
  'either/or, 1/2.5, text/x.y, /api/v1.0/users, /api/v1/x.json, /steps/0/url must be text, at ./main.js',
  'Rate 5/10 and/or 10:30:00, see a/b.c, meet at noon (room 12)',
  'ETIMEDOUT while it was read, EVERY word of it',
  'Value "EXECUTING" does not exist in "State" enum. EVENT a.b is "c"',
  'Two lines\nat the most',
  '',
])('%s stays', (text) => {
  expect(redactAll(text)).toBe(text)
})

test('what the client gave itself stays', () => {
  const redact = redactorOf(() => '{"url":"HTTP://127.0.0.1:1/hook","root":"https://a.example"}')
  expect(redact('http://127.0.0.1:1/hook is not allowed')).toBe(
    'http://127.0.0.1:1/hook is not allowed',
  )
  expect(redact('https://a.example/ and http://127.0.0.1:2/hook')).toBe(
    'https://a.example/ and [url]',
  )
})

test('a message that repeats all addresses of a long variable takes no long time, and keeps them', async () => {
  const addresses = Array.from({ length: 58_000 }, (_, n) => `http://10.0.0.1/${n}`).join(' ')
  const redact = redactorOf(() => JSON.stringify({ addresses }))
  const message = `${addresses} http://10.0.0.2/`
  expect(await leastProcessorMs(2_000, () => redact(message))).toBeLessThan(2_000)
  expect(redact(message)).toBe(`${addresses} [url]`)
  // The number of parts that are looked for is limited, so that it ends.
  const parts = Array.from({ length: 58_000 }, (_, n) => `http://10.0.0.1/${n}/a`).join(' ')
  expect(await leastProcessorMs(2_000, () => redact(parts))).toBeLessThan(2_000)
})

test.each([
  'a',
  'a-',
  '/',
  '/a',
  '/a.',
  '1.',
  'a.',
  'fd00:',
  '://',
  'a://',
  'http://a!',
  '\n ',
  "ENOENT '",
  ' at a(1:1',
  'ECONNREFUSED ',
  '/tmp/',
  'a.internal',
  ':',
])('a long text of %j takes no long time', async (part) => {
  const text = part.repeat(100_000)
  expect(await leastProcessorMs(2_000, () => redactAll(text))).toBeLessThan(2_000)
})
