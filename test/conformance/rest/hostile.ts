import { Agent, request as httpRequest } from 'node:http'
import fc from 'fast-check'
import type { Operation } from '../documents.ts'

/** Texts that were faults of some product once. */
export const TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'null',
  '-1',
  '1e400',
  '9'.repeat(400),
  "'; DROP TABLE artifact; --",
  "' OR 1=1 --",
  '" OR ""="',
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
  ']]><script>alert(1)</script>',
  '../../../../etc/passwd',
  '..\\..\\windows',
  '\r\nX-Injected: 1\r\n\r\n<html>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what loggers once expanded
  '${jndi:ldap://127.0.0.1/x}',
  '%s%s%s%n',
  '{{7*7}}',
  '__proto__',
  'constructor',
  'toString',
  '\ud800',
  '\u202eevil',
  '*',
  '\\',
  '[]',
  '{"$ne":null}',
  'x'.repeat(5_000),
]

/** Parts of a path as no client library would send them. */
const RAW_PARTS = [
  '%',
  '%00',
  '%E0%A4%A',
  '%c0%af',
  '..%2f..%2fetc',
  '%2e%2e',
  '%0d%0aX-Injected:1',
]

const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 40 }))

const json: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.jsonValue(),
  fc.constantFrom(null, true, 0, -1, 2 ** 53, Number.MAX_VALUE, [[]], {}),
  fc.dictionary(text, text, { maxKeys: 3 }),
)

/** The name of a parameter or attribute, with what stands there instead of its example. */
type Change<Value> = { name: string; value: Value }

export interface Attack {
  path: Change<string>[]
  query: Change<string>[]
  headers: Change<string>[]
  body: Change<unknown>[]
}

const changes = <Value>(names: readonly string[], value: fc.Arbitrary<Value>, maxLength = 2) =>
  names.length === 0
    ? fc.constant<Change<Value>[]>([])
    : fc.array(fc.record({ name: fc.constantFrom(...names), value }), { maxLength })

/** Attack on one operation. @param attributes of its body */
export function attackOn({ parameters }: Operation, attributes: readonly string[]) {
  const named = (place: string) =>
    parameters.filter((each) => each.in === place).map(({ name }) => name)
  const encoded = text.map((each) => encodeURIComponent(each.toWellFormed()))
  const headerText = fc.oneof(
    fc.constantFrom('', '***', '%', '%%%3D', 'x'.repeat(3_000), '"', 'W/"1"', '\xff\xfe', '\t'),
    fc.base64String({ maxLength: 40 }),
  )
  return fc.record<Attack>({
    path: changes(named('path'), fc.oneof(encoded, fc.constantFrom(...RAW_PARTS)), 1),
    query: changes([...named('query'), 'unknown', '__proto__', 'filter[a][b]'], encoded),
    headers: changes(named('header'), headerText, 1),
    body: changes(attributes.length === 0 ? [] : [...attributes, 'unknown', '__proto__'], json),
  })
}

/** Bodies that are no JSON, or excessive JSON. @param example a body that is right */
export const bodiesBesides = (example: object): [what: string, body: Buffer][] => {
  const right = JSON.stringify(example)
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  return [
    ['nothing', Buffer.alloc(0)],
    ['a number', Buffer.from('1e400')],
    ['nesting of 50 000 levels', Buffer.from(nested(50_000))],
    ['nested brackets without an end', Buffer.from('['.repeat(100_000))],
    ['an attribute nested deeply', Buffer.from(`{"name":${nested(5_000)}}`)],
    ['a byte that is no UTF-8', Buffer.from([...Buffer.from(right.slice(0, -1)), 0xff, 0x7d])],
    ['NUL bytes', Buffer.concat([Buffer.alloc(8), Buffer.from(right)])],
    ['duplicate keys', Buffer.from(`{"name":1,"title":1,${right.slice(1)}`)],
    ['its prototype', Buffer.from(`{"__proto__":{"polluted":true},${right.slice(1)}`)],
    ['a constructor', Buffer.from(`{"constructor":{"prototype":{"polluted":1}},${right.slice(1)}`)],
    ['half of it', Buffer.from(right.slice(0, right.length / 2))],
    ['10 000 attributes', Buffer.from(JSON.stringify(Object.fromEntries(many(10_000))))],
  ]
}

const many = (count: number) =>
  Array.from({ length: count }, (_, i): [string, number] => [`a${i}`, i])

export interface RawAnswer {
  status: number
  headers: Record<string, unknown>
  text: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 })
const PATIENCE_MS = 60_000

/** Sends a request exactly as given. @throws Error when there is no answer in time */
export function sendRaw(
  base: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Buffer,
): Promise<RawAnswer> {
  const { hostname, port, pathname } = new URL(base)
  const options = { hostname, port, path: pathname + path, method, agent, timeout: PATIENCE_MS }
  return new Promise((resolve, reject) => {
    const request = httpRequest({ ...options, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      )
    })
    request.on('timeout', () => request.destroy(new Error(`No answer within ${PATIENCE_MS} ms`)))
    request.on('error', reject)
    request.end(body)
  })
}

/** Lets go of the connections. */
export const hangUp = () => agent.destroy()
