import { isObject, toJson } from '../../formats/json/values.ts'
import { RunError } from '../run/error.ts'
import { REQUEST_PROPERTIES, type RequestSettings, sendRequest } from './request.ts'
import type { StepKind } from './step-kind.ts'

export interface GraphqlSettings extends Partial<RequestSettings> {
  query: string
  variables?: Record<string, unknown>
  operationName?: string
}

/**
 * Sends a GraphQL operation, to `/graphql` below `baseUrl` unless `url` says otherwise; the result is `{status, headers,
 * cookies, data, errors, extensions}`. Unless an expectation is about errors, there must be none.
 */
export const graphql: StepKind<GraphqlSettings> = {
  schema: {
    type: 'object',
    description:
      'Sends a GraphQL operation; the result is `{status, headers, cookies, data, errors, extensions}`.',
    additionalProperties: false,
    required: ['query'],
    properties: {
      ...REQUEST_PROPERTIES,
      query: { type: 'string', minLength: 1, maxLength: 100_000 },
      variables: { type: 'object' },
      operationName: { type: 'string' },
    },
  },
  defaultTimeoutMs: 30_000,
  runner: 'GRAPHQL',
  implied: [{ name: 'no errors', path: '$.errors', assert: 'exists', value: false }],
  async run({ query, variables, operationName, url = '/graphql', ...settings }, context) {
    const headers = {
      accept: 'application/graphql-response+json, application/json',
      ...settings.headers,
    }
    const body = toJson({ query, variables, operationName })
    const content = { method: 'POST', type: 'application/json', body } as const
    const request = { ...settings, url, headers }
    const received = await sendRequest(request, content, context)
    const { body: answer, ...head } = received
    if (!isObject(answer) || !('data' in answer || 'errors' in answer))
      throw new RunError('INVALID_RESPONSE', `The answer with status ${head.status} is no GraphQL`)
    const { data, errors, extensions } = answer
    return { result: present({ ...head, data, errors, extensions }) }
  },
}

/** Without undefined values, as in JSON. */
const present = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).filter(([, held]) => held !== undefined))
