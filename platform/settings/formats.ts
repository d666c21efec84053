import { createPrivateKey } from 'node:crypto'
import { isIP } from 'node:net'
import { DURATION_PATTERN, durationMs } from '../../formats/duration.ts'
import { isRole, ROLE_NAMES } from '../access/permissions.ts'
import { serversOf } from '../database/database-servers.ts'
import { CronTimes } from '../jobs/cron.ts'
import { isCidrList, splitList } from '../outbound/cidr.ts'

const DURATION = new RegExp(DURATION_PATTERN)

/** Formats of some variables, with their description. */
export const FORMATS: Readonly<Record<string, { test(text: string): boolean; hint: string }>> = {
  host: { test: (text) => isHost(text), hint: 'an IP address or a host name' },
  'host-list': {
    test: (text) => splitList(text).every(isHost),
    hint: 'host names with commas between them, such as assay.example,ci.example',
  },
  path: {
    test: (text) =>
      /^(\/[\w.~-]+)*\/?$/.test(text) &&
      !/^\/(graphql|mcp|\.well-known|healthz|readyz|metrics|session|assets)(\/|$)/.test(text),
    hint: 'a path such as /api, and none that is served already',
  },
  processes: {
    test: (text) => /^(auto|[1-9]|[1-5]\d|6[0-4])$/.test(text),
    hint: 'a whole number from 1 to 64, or auto',
  },
  'origin-list': {
    test: (text) => splitList(text).every((each) => each === '*' || isOrigin(each)),
    hint: 'origins with commas between them, such as https://portal.example, or *',
  },
  origin: {
    test: (text) => isOrigin(text),
    hint: 'an origin such as https://assay.example, without a path',
  },
  scopes: {
    test: (text) => text.split(' ').includes('openid'),
    hint: 'scopes with blanks between them, among them openid',
  },
  'postgres-url': {
    test: (text) => isPostgresUrl(text),
    hint: 'an address such as postgres://user:password@host:5432/database, with special characters of the password percent-encoded (%23 for #)',
  },
  'nats-url': {
    test: (text) => /^(nats|tls):\/\/[^\s/,]+\/?$/.test(text) && URL.canParse(text),
    hint: 'one address such as nats://user:password@host:4222 or nats://token@host:4222; the other servers of its cluster become known from it',
  },
  'http-url': {
    test: (text) => /^https?:\/\/\S+$/.test(text) && URL.canParse(text),
    hint: 'an http or https address such as https://assay.example/path',
  },
  'key-32-bytes': {
    test: (text) => /^[A-Za-z0-9+/]{43}=?$/.test(text),
    hint: '32 bytes in Base64, as `openssl rand -base64 32` prints them',
  },
  'webhook-secret': {
    test: (text) => /^whsec_([A-Za-z0-9+/]{4}){8,}([A-Za-z0-9+/]{2,3}={1,2})?$/.test(text),
    hint: 'whsec_ and at least 24 bytes in Base64, as `echo whsec_$(openssl rand -base64 32)` prints them',
  },
  email: {
    test: (text) => /^[^\s:@]+@[^\s:@]+$/.test(text),
    hint: 'an e-mail address such as admin@example.com',
  },
  header: {
    test: (text) => /^[a-z0-9-]+$/i.test(text),
    hint: 'the name of a header, such as x-forwarded-user',
  },
  'role-map': {
    test: (text) => [...roleMapOf(text)].every(([name, role]) => name !== '' && isRole(role)),
    hint: `names with their roles and commas between them, such as qa-leads=editor,"CN=QA,OU=Groups"=reader; roles are ${ROLE_NAMES.join(', ')}`,
  },
  'private-jwk': {
    test: (text) => isPrivateJwk(text),
    hint: 'a private key as JSON (JWK) of RSA, EC or Ed25519, with an alg that suits it, such as ES256',
  },
  'event-age': {
    test: (text) => DURATION.test(text) && durationMs(text) >= 60_000,
    hint: 'a duration of at least 1m, such as 30m, 12h or 7d',
  },
  separator: {
    test: (text) => /^[!-~]{1,8}$/.test(text),
    hint: '1 to 8 characters of ASCII without blanks, such as |',
  },
  'header-list': {
    test: (text) =>
      /^([a-z0-9-]+(, *[a-z0-9-]+)*)?$/i.test(text) &&
      !text.split(/, */).some((name) => NOT_FORWARDED.test(name)),
    hint: 'names with commas between them, such as authorization,accept-language, and none that belongs to a single connection or body',
  },
  cron: {
    test: (text) => isSchedule(text),
    hint: 'minute (0-59), hour (0-23), day (1-31), month (1-12) and day of the week (0-7) in UTC, such as 17 * * * *, or @hourly, @daily or @weekly',
  },
  'otlp-headers': {
    test: (text) => /^[\w.-]+=[^,=\s]+(, *[\w.-]+=[^,=\s]+)*$/.test(text) && isDecodable(text),
    hint: 'name=value with commas between them, percent-encoded',
  },
  'cidr-list': {
    test: isCidrList,
    hint: 'networks with commas between them, such as 10.0.0.0/8,192.168.0.0/16',
  },
}

/** Headers of a single connection or body, and those that the gateway sets itself. */
const NOT_FORWARDED =
  /^(host|connection|keep-alive|te|trailers?|upgrade|transfer-encoding|expect|http2-settings|(content|proxy|sec-websocket)-[a-z-]+|accept|accept-encoding|assay-caller)$/i

/** A password that begins with digits reads as a port, and what follows its slash or question mark has the `@`. */
const PASSWORD_AS_PORT = /^\w+:\/\/[^@/?]*:\d*(\/[^?]*|\?[^=]*)@/

/** As the driver takes it: the host of a socket may stand in the parameters alone. */
const isPostgresUrl = (text: string): boolean =>
  /^postgres(ql)?:\/\/[^\s#]+$/.test(text) &&
  !PASSWORD_AS_PORT.test(text) &&
  serversOf(text).every((server) => URL.canParse(server.replace('@/', '@host/')))

function isSchedule(text: string): boolean {
  try {
    return Boolean(new CronTimes(text))
  } catch {
    return false
  }
}

const isHost = (text: string): boolean =>
  isIP(text) > 0 || /^[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/i.test(text)

/** The origins that `CORS_ORIGINS` lists. */
export const originsOf = splitList

/** Algorithms that keys of a kind sign with (RFC 7518, section 3.1; RFC 9864). */
const SIGNED_BY: Readonly<Record<string, RegExp>> = {
  rsa: /^[RP]S(256|384|512)$/,
  ec: /^ES(256|384|512)$/,
  ed25519: /^(Ed25519|EdDSA)$/,
}

function isPrivateJwk(text: string): boolean {
  try {
    const key = JSON.parse(text)
    const { asymmetricKeyType = '' } = createPrivateKey({ format: 'jwk', key })
    return SIGNED_BY[asymmetricKeyType]?.test(key.alg) === true
  } catch {
    return false
  }
}

const isDecodable = (text: string): boolean => !/%(?![\da-f]{2})/i.test(text)

const isOrigin = (text: string): boolean =>
  URL.canParse(text) && new URL(text).origin === text && !text.includes('*')

/** One entry of `ROLE_MAP` with its comma: a name in quotation marks, doubled within, or up to the last `=`. */
const ROLE_ENTRY = /\s*(?:"((?:[^"]|"")*)"\s*=([^,]*)|([^,"]*))(?:,|$)/y

/** The roles that `ROLE_MAP` gives to names of groups or roles elsewhere; an empty role for what cannot be read. */
export function roleMapOf(text: string): Map<string, string> {
  const map = new Map<string, string>()
  for (let at = 0; at < text.length; at = ROLE_ENTRY.lastIndex) {
    ROLE_ENTRY.lastIndex = at
    const found = ROLE_ENTRY.exec(text)
    if (!found) return map.set(text.slice(at), '')
    const [, quoted, itsRole = '', plain = ''] = found
    const equals = plain.lastIndexOf('=')
    if (quoted !== undefined) map.set(quoted.replaceAll('""', '"'), itsRole.trim())
    else if (equals >= 0) map.set(plain.slice(0, equals).trim(), plain.slice(equals + 1).trim())
    else if (plain.trim() !== '') map.set(plain.trim(), '')
  }
  return map
}
