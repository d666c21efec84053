import { gzipSync } from 'node:zlib'
import { ADMIN, ADMIN_PASSWORD, basic } from '../../support/e2e/users.ts'
import type { Message } from './send.ts'

/** One request that costs its sender little, and must cost others nothing. */
export interface Attack {
  name: string
  /** Prepares an attack, such as by stored events. @param url of the product */
  before?(url: string): Promise<void>
  /** Made when it is sent: some are large. */
  request(): Message
  status: number
}

const SIGNED_IN = basic(ADMIN, ADMIN_PASSWORD)
const MEGABYTE = 2 ** 20

const list = (element: string, bytes: number): string =>
  `[${`${element},`.repeat(Math.floor(bytes / (element.length + 1)) - 1)}${element}]`

const nested = (bytes: number): string => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)

const events = (body: string | Buffer, headers = {}): Message => ({
  path: '/api/v1/events',
  headers: { ...SIGNED_IN, ...headers },
  body,
})

const graphql = (body: string | Buffer, headers: Record<string, string> = SIGNED_IN): Message => ({
  path: '/graphql',
  headers,
  body,
})

const operation = (query: string, variables: string) =>
  `{"query":${JSON.stringify(query)},"variables":${variables}}`

const EXACT = '12345678901234567891'

const INGEST = 'mutation ($events: [JSON]!) { ingestEvents(input: { events: $events }) { sent } }'

const REFUSED_AS_400 = { accept: 'application/graphql-response+json' }

/** Types lead to fields and back to types. */
const LONG_INTROSPECTION = `{ __schema { ${Array.from({ length: 28 }, (_, at) => `a${at}: types { ...T }`).join(' ')} } }
  fragment T on __Type { fields { type { ...G ofType { ...G ofType { ...G ofType { ...G } } } } } }
  fragment G on __Type { name description fields { name description args { name type { name ofType { name } } } } }`

/** A table of attacks; each starts from a product with accounts, examples and nothing else. */
export const STALLS: readonly Attack[] = [
  {
    name: 'an introspection that reads the schema many times',
    request: () => graphql(operation(LONG_INTROSPECTION, '{}'), REFUSED_AS_400),
    status: 400,
  },
  {
    name: '30 MB of empty events',
    request: () => events(list('{}', 30 * MEGABYTE)),
    status: 413,
  },
  {
    name: '1 MB of empty events as 3 kB of gzip',
    request: () => events(gzipSync(list('{}', MEGABYTE)), { 'content-encoding': 'gzip' }),
    status: 413,
  },
  {
    name: 'as many empty events as a call may have',
    request: () => events(list('{}', 300_000)),
    status: 400,
  },
  {
    name: 'as many events as a call may have',
    request: () => events(list('{"title":"Disk is filling up","severity":"WARN"}', 4_900_000)),
    status: 202,
  },
  {
    name: 'as many different events as a call may have',
    request: () =>
      events(`[${Array.from({ length: 100_000 }, (_, n) => `{"title":"Disk ${n}"}`).join()}]`),
    status: 202,
  },
  {
    name: '31 MB of events of 31 kB',
    request: () =>
      events(list(`{"title":"Large","message":"${'x'.repeat(31_000)}"}`, 31 * MEGABYTE)),
    status: 202,
  },
  {
    name: '9 MB of nested lists as an event',
    request: () => events(nested(9 * MEGABYTE)),
    status: 413,
  },
  {
    name: '30 MB of empty objects within one event',
    request: () => events(`{"title":"Many","properties":{"a":${list('{}', 30 * MEGABYTE)}}}`),
    status: 413,
  },
  {
    name: '30 MB of gzip for a stranger',
    request: () => ({
      ...events(gzipSync(Buffer.alloc(30 * MEGABYTE, 0x20))),
      headers: { 'content-encoding': 'gzip' },
    }),
    status: 401,
  },
  {
    name: '9 MB of variables, not signed in',
    request: () => graphql(operation(INGEST, `{"events":${list('{}', 9 * MEGABYTE)}}`), {}),
    status: 401,
  },
  {
    name: '9 MB of variables',
    request: () => graphql(operation(INGEST, `{"events":${list('{}', 9 * MEGABYTE)}}`)),
    status: 413,
  },
  {
    name: 'as many variables as a request may have',
    request: () => graphql(operation(INGEST, `{"events":${list('{}', 148_000)}}`)),
    status: 200,
  },
  {
    name: 'as many numbers as a request may have, one of them exact',
    request: () =>
      graphql(operation(INGEST, `{"events":${list('1.0', 396_000).replace('1.0', EXACT)}}`)),
    status: 200,
  },
  {
    name: 'as many exact numbers as a request may have',
    request: () => graphql(operation(INGEST, `{"events":${list(EXACT, 980_000)}}`)),
    status: 200,
  },
  {
    name: '1 MB of exact numbers as variables',
    request: () => graphql(operation(INGEST, `{"events":${list('1e400', 1_000_000)}}`)),
    status: 413,
  },
  {
    name: '1 MB of nested variables',
    request: () => graphql(operation(INGEST, `{"events":${nested(MEGABYTE - 500)}}`)),
    status: 413,
  },
  {
    name: '1 MB of lists of the wrong type as variables',
    request: () =>
      graphql(
        operation(
          'query ($names: [String!]) { events(query: $names) { totalCount } }',
          `{"names":${list('{}', 148_000)}}`,
        ),
      ),
    status: 200,
  },
  {
    name: 'many large events in front of many small ones',
    request: () => {
      const large = `{"title":"Large","message":"${'x'.repeat(32_000)}"}`
      return events(`[${[...Array(700).fill(large), ...Array(90_000).fill('{"title":"a"}')]}]`)
    },
    status: 202,
  },
  {
    name: '30 MB of a number within an event',
    request: () => events(`{"title":"Long","properties":{"a":${'1'.repeat(30 * MEGABYTE)}}}`),
    status: 400,
  },
  {
    name: '30 MB of white space around an event',
    request: () => events(`${' '.repeat(15 * MEGABYTE)}{"title":"a"}${' '.repeat(15 * MEGABYTE)}`),
    status: 202,
  },
  {
    name: '30 MB of white space within a list of events',
    request: () => events(`[{"title":"a"},${' '.repeat(30 * MEGABYTE)}{"title":"b"}]`),
    status: 202,
  },
  {
    name: '4 MB of empty objects as a scenario',
    request: () => ({
      path: '/api/testcase',
      headers: SIGNED_IN,
      body: `{"id":"many","steps":${list('{}', 4 * MEGABYTE - 100)}}`,
    }),
    status: 413,
  },
  {
    name: 'as many steps as a scenario can be sent with',
    request: () => ({
      path: '/api/testcase',
      headers: SIGNED_IN,
      body: `{"id":"steps","name":"Steps","steps":${list('{"id":"s","type":"WAIT","ms":1}', 450_000)}}`,
    }),
    status: 400,
  },
  {
    name: '1 MB of YAML in flow style',
    request: () => ({
      path: '/api/testcase',
      headers: { ...SIGNED_IN, 'content-type': 'application/yaml' },
      body: `steps: ${list('{a: 1}', MEGABYTE - 100)}`,
    }),
    status: 413,
  },
  {
    name: '1 MB of nested YAML',
    request: () => ({
      path: '/api/testcase',
      headers: { ...SIGNED_IN, 'content-type': 'application/yaml' },
      body: `steps: ${nested(100_000)}`,
    }),
    status: 400,
  },
  {
    name: 'a query of thousands of words',
    request: () => ({
      method: 'GET',
      path: `/api/v1/events?q=${encodeURIComponent('a* OR '.repeat(1_500))}b`,
      headers: SIGNED_IN,
    }),
    status: 400,
  },
  {
    name: 'a query of nested parentheses over GraphQL',
    request: () =>
      graphql(
        operation(
          'query ($q: String) { events(query: $q) { totalCount } }',
          JSON.stringify({ q: `${'('.repeat(400_000)}a${')'.repeat(400_000)}` }),
        ),
      ),
    status: 200,
  },
  {
    name: 'a megabyte of a query over GraphQL',
    request: () =>
      graphql(
        operation(
          'query ($q: String) { events(query: $q) { totalCount } }',
          JSON.stringify({ q: 'title:a OR -tags:b AND '.repeat(40_000) }),
        ),
      ),
    status: 200,
  },
  {
    name: 'a filter of a thousand names',
    request: () => ({
      method: 'GET',
      path: `/api/testcase?pageSize=1000&filter=${encodeURIComponent(
        JSON.stringify(Object.fromEntries(Array.from({ length: 800 }, (_, n) => [`a${n}`, n]))),
      )}`,
      headers: SIGNED_IN,
    }),
    status: 400,
  },
  {
    name: 'a thousand sorts',
    request: () => ({
      method: 'GET',
      path: `/api/testcase?${'sort=name&'.repeat(1_500)}`,
      headers: SIGNED_IN,
    }),
    status: 400,
  },
  {
    name: 'a component with the largest source',
    request: () => ({
      path: '/api/component',
      headers: SIGNED_IN,
      body: JSON.stringify({
        id: 'large',
        name: 'Large',
        language: 'javascript',
        source: `export default () => ${'['.repeat(1_000)}${']'.repeat(1_000)};${'f(1);'.repeat(190_000)}`,
      }),
    }),
    status: 400,
  },
]
