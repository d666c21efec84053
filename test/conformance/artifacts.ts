import { randomUUID } from 'node:crypto'
import { type Answer, call } from './calls.ts'

export interface Artifact extends Record<string, unknown> {
  id: string
  name: string
  description: string | null
  revision: number
  created: string
  updated: string
}

/** Each resource with the least that creating one takes, besides a name. */
export const RESOURCES: readonly { name: string; attributes: Record<string, unknown> }[] = [
  { name: 'component', attributes: { sourceCode: 'export const one = () => 1' } },
  {
    name: 'testcase',
    attributes: {
      componentUnderTest: 'loan-schedule',
      scenario: { steps: [{ id: 'pause', wait: { ms: 1 } }] },
    },
  },
  { name: 'suite', attributes: { testCases: ['loan-schedule', 'tax-table'] } },
  { name: 'environment', attributes: { baseUrl: 'https://stage.example', variables: { a: '1' } } },
]

/** A name or an id that no other row uses. */
export const unique = (word: string): string => `${word}-${randomUUID()}`

const JSON_BODY = { 'content-type': 'application/json' }

/** Sends an artifact, or whatever else, as JSON. */
export const send = <T = Artifact>(
  method: 'POST' | 'PUT',
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> =>
  call(method, path, { headers: { ...JSON_BODY, ...headers }, body: JSON.stringify(body) })

/** Creates an artifact of a resource, under a name of its own unless one is given. */
export async function create(
  resource: string,
  attributes: Record<string, unknown> = {},
): Promise<Artifact> {
  const least = RESOURCES.find(({ name }) => name === resource)?.attributes
  const { status, body } = await send('POST', `/${resource}`, {
    name: unique(resource),
    ...least,
    ...attributes,
  })
  expect([status, body]).toEqual([201, body])
  return body
}

type Parameters = Record<string, string | readonly string[]>

function address(path: string, parameters: Parameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  )
  return `${path}?${new URLSearchParams(pairs)}`
}

export const list = (resource: string, parameters: Parameters = {}): Promise<Answer<Artifact[]>> =>
  call('GET', address(`/${resource}`, parameters))

export const count = (resource: string, parameters: Parameters = {}): Promise<Answer<number>> =>
  call('GET', address(`/${resource}/count`, parameters))

/** Ids of the listed artifacts that match a filter, in the order of the answer. */
export async function idsOf(
  resource: string,
  filter: Record<string, unknown>,
  parameters: Parameters = {},
): Promise<string[]> {
  const { status, body } = await list(resource, { ...parameters, filter: JSON.stringify(filter) })
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.map(({ id }) => id)
}

/** Asserts that a list refuses the parameters with 400 and a message that names the fault. */
export async function expectRefusal(
  resource: string,
  parameters: Parameters,
  named: string | RegExp,
): Promise<void> {
  const { status, body } = (await list(resource, parameters)) as Answer<unknown>
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { code: 'BAD_USER_INPUT', message: expect.stringMatching(named) },
  })
}
