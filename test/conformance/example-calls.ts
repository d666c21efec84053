import { create } from './artifacts.ts'
import { type ApiDocument, operationsOf } from './documents.ts'
import { execute } from './executions.ts'

/** A request that is made of the examples of an operation alone. */
export interface ExampleCall {
  name: string
  method: string
  path: string
  headers: Record<string, string>
  body?: string
  /** The status that the document promises. */
  success: string
}

/** Creating comes before what needs the created, and deleting at the end. */
const ORDER = ['POST', 'PUT', 'GET', 'DELETE']

/**
 * Every operation of a document as somebody calls it who has signed in and changes nothing. Only a result id has no example: it is that
 * of an execution that is made for it.
 */
export async function exampleCalls(document: ApiDocument | undefined): Promise<ExampleCall[]> {
  if (!document) throw new Error('There is no document')
  const resultIds = new Map<string, string>()
  const calls: ExampleCall[] = []
  for (const { name, method, path, operation } of operationsOf(document)) {
    const given = (place: string) =>
      operation.parameters.filter((each) => each.in === place && each.example !== undefined)
    const pairs = (place: string) =>
      given(place).map((each): [string, string] => [each.name, String(each.example)])
    const values = new Map(pairs('path'))
    if (path.includes('{resultId}')) {
      const context = values.get('id') ?? 'tax-table'
      const known = resultIds.get(context) ?? (await resultOf(context))
      resultIds.set(context, known)
      values.set('resultId', path.endsWith('/cancel') ? await runningResult() : known)
    }
    const body = operation.requestBody?.content['application/json'].example
    const query = new URLSearchParams(pairs('query')).toString()
    calls.push({
      name,
      method,
      path:
        path.replaceAll(/\{(\w+)\}/g, (_, key) => values.get(key) ?? '') + (query && `?${query}`),
      headers: {
        authorization: `Basic ${btoa('ci:secret')}`,
        ...Object.fromEntries(pairs('header')),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      success: Object.keys(operation.responses).find((status) => status.startsWith('2')) ?? '',
    })
  }
  return calls.sort((one, other) => ORDER.indexOf(one.method) - ORDER.indexOf(other.method))
}

/** Of an execution that runs until it is cancelled, or for long enough. */
async function runningResult(): Promise<string> {
  const { id } = await create('testcase', {
    scenario: { steps: [{ id: 'pause', wait: { ms: 20_000 } }] },
  })
  return (await execute(`/execute/${id}`)).body.id
}

const resultOf = async (context: string) =>
  (await execute(`/execute/${context}?synchron=true`)).body.id
