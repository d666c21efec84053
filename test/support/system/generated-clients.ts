/** A generator of clients, what it makes of a document, and a program over that. */
export interface GeneratedClient {
  name: string
  document: 'OpenAPI 3.1' | 'Swagger 2.0'
  /** Below `node_modules/.bin`, with its arguments. Writes `client.ts`. */
  command(document: string, folder: string): readonly string[]
  /** TypeScript: what users of the generated client write, without a cast. Prints one line of JSON. */
  program: string
}

/** Events of the contract, and others that clients send. */
const EVENTS = `
const source = { ref: 'web1', type: 'host' }
const event = {
  title: 'A generated client',
  fingerprintFields: ['@title'],
  source,
  message: 'Sent by a generated client',
  properties: { eventKey: 'disk', attempts: 3, roles: ['web'], free: { bytes: 12 } },
  severity: 'INFO',
  status: 'OPEN',
  tags: ['generated'],
}
const other = { title: 'Another event', source, createdAt: 1769847300 }
const scenario = {
  name: 'Of ' + crypto.randomUUID(),
  scenario: { steps: [{ id: 'pause', wait: { ms: 1 } }] },
}
const credentials = btoa('ci:secret')
`

const OPENAPI_TYPESCRIPT = `
import type { paths } from './client.ts'
${EVENTS}
type Method = 'get' | 'post'
type Row<P extends keyof paths, M extends Method> = paths[P][M]
type Body<R> = R extends { requestBody: { content: { 'application/json': infer B } } } ? B : undefined
type Json<T> = T extends { content: { 'application/json': infer B } } ? B : never
type Answer<R> = R extends { responses: infer A }
  ? { [S in keyof A]: S extends 200 | 201 | 202 ? Json<A[S]> : never }[keyof A]
  : never
type Headers_<R> = R extends { parameters: { header: infer H } } ? H : undefined

async function call<P extends keyof paths, M extends Method>(
  method: M, path: P, address: string, body?: Body<Row<P, M>>, headers?: Headers_<Row<P, M>>,
): Promise<Answer<Row<P, M>>> {
  const response = await fetch(process.env.BASE + address, {
    method: method.toUpperCase(),
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}
const one = await call('post', '/v1/events', '/v1/events', event)
const many = await call('post', '/v1/events', '/v1/events', [event, other])
const id = one.result.accepted?.[0]?.id ?? ''
const stored = await call('get', '/v1/events/{id}', '/v1/events/' + id)
const made = await call('post', '/testcase', '/testcase', scenario)
const result = await call('post', '/testcase/{id}/execute',
  '/testcase/' + made.id + '/execute?synchron=true&label=a%3D1&label=b%3D2', undefined, { credentials })
const details = await call('get', '/result/{resultId}/details', '/result/' + result.id + '/details')
const list = await call('get', '/testcase/{id}/result', '/testcase/' + made.id + '/result?sort=started,desc')
console.log(JSON.stringify({
  sent: [one.result.sent, many.result.sent], attempts: stored.properties.attempts,
  state: result.state, isLogged: details.log !== '', listed: list.map((each) => each.contextId === made.id),
}))
`

/** @param one the body with one event */
const orval = (one: string) => `
import * as api from './client.ts'
${EVENTS}
const one = await api.postV1Events(${one})
const many = await api.postV1Events([event, other])
if (one.status !== 202 || many.status !== 202) throw new Error('refused')
const stored = await api.getV1EventsId(one.data.result.accepted?.[0]?.id ?? '')
const made = await api.postTestcase(scenario)
if (stored.status !== 200 || made.status !== 201) throw new Error('not there')
const result = await api.postTestcaseIdExecute(made.data.id, { synchron: true, label: ['a=1', 'b=2'] },
  { headers: { credentials } })
if (result.status !== 200) throw new Error('not executed')
const details = await api.getResultResultIdDetails(result.data.id)
const list = await api.getTestcaseIdResult(made.data.id, { sort: ['started,desc'] })
if (details.status !== 200 || list.status !== 200) throw new Error('not read')
const log = typeof details.data === 'string' ? '' : details.data.log
console.log(JSON.stringify({
  sent: [one.data.result.sent, many.data.result.sent], attempts: stored.data.properties.attempts,
  state: result.data.state, isLogged: log !== '',
  listed: list.data.map((each) => each.contextId === made.data.id),
}))
`

const swaggerTypescriptApi = (one: string) => `
import { Api } from './client.js'
${EVENTS}
const api = new Api({ baseUrl: process.env.BASE ?? '' })
const one = await api.v1.postV1Events(${one})
const many = await api.v1.postV1Events([event, other])
const stored = await api.v1.getV1EventsId(one.data.result.accepted?.[0]?.id ?? '')
const { data: made } = await api.testcase.postTestcase(scenario)
const { data: result } = await api.testcase.postTestcaseIdExecute(made.id,
  { synchron: true, label: ['a=1', 'b=2'] }, { headers: { credentials } })
const { data: details } = await api.result.getResultResultIdDetails(result.id)
const { data: list } = await api.testcase.getTestcaseIdResult(made.id, { sort: ['started,desc'] })
console.log(JSON.stringify({
  sent: [one.data.result.sent, many.data.result.sent], attempts: stored.data.properties.attempts,
  state: result.state, isLogged: details.log !== '',
  listed: list.map((each) => each.contextId === made.id),
}))
`

const orvalCommand: GeneratedClient['command'] = (_document, folder) => [
  ...['orval', '--config', `${folder}/orval.config.mjs`],
]

const swaggerTypescriptApiCommand: GeneratedClient['command'] = (document, folder) => [
  ...['swagger-typescript-api', 'generate', '--path', document],
  ...['--output', folder, '--name', 'client.ts'],
]

export const GENERATED_CLIENTS: readonly GeneratedClient[] = [
  {
    name: 'openapi-typescript',
    document: 'OpenAPI 3.1',
    command: (document, folder) => ['openapi-typescript', document, '-o', `${folder}/client.ts`],
    program: OPENAPI_TYPESCRIPT,
  },
  {
    name: 'orval',
    document: 'OpenAPI 3.1',
    command: orvalCommand,
    program: orval('event'),
  },
  {
    name: 'orval',
    document: 'Swagger 2.0',
    command: orvalCommand,
    program: orval('[event]'),
  },
  {
    name: 'swagger-typescript-api',
    document: 'OpenAPI 3.1',
    command: swaggerTypescriptApiCommand,
    program: swaggerTypescriptApi('event'),
  },
  {
    name: 'swagger-typescript-api',
    document: 'Swagger 2.0',
    command: swaggerTypescriptApiCommand,
    program: swaggerTypescriptApi('[event]'),
  },
]
