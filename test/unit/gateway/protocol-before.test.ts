import { protocolBefore } from '../../../gateway/http/http-message.ts'

test.each<[Record<string, string>, string | undefined]>([
  [{ 'x-forwarded-proto': 'https' }, 'https'],
  [{ 'x-forwarded-proto': 'HTTPS' }, 'https'],
  [{ 'x-forwarded-proto': 'https,http' }, 'https'],
  [{ 'x-forwarded-proto': ' https , http' }, 'https'],
  [{ 'x-forwarded-proto': 'http, https' }, 'http'],
  [{ forwarded: 'proto=https' }, 'https'],
  [{ forwarded: 'for=192.0.2.1;Proto="HTTPS";by=10.0.0.1, proto=http' }, 'https'],
  [{ forwarded: 'for=192.0.2.1, proto=https' }, undefined],
  [{ forwarded: 'for=192.0.2.1; proto=https' }, 'https'],
  [{ 'x-forwarded-proto': 'http', forwarded: 'proto=https' }, 'http'],
  [{}, undefined],
])('a server in front says %j: %s', (headers, protocol) => {
  expect(protocolBefore(headers)).toBe(protocol)
})
