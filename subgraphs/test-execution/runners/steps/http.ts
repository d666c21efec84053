import { toJson } from '../json-text.ts'
import { REQUEST_PROPERTIES, type RequestSettings, sendRequest } from './request.ts'
import type { StepKind } from './step-kind.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

export interface HttpSettings extends RequestSettings {
  method?: (typeof METHODS)[number]
  /** Appended to the URL. */
  query?: Record<string, string | number | boolean>
  /** At most one of these is the body. */
  json?: unknown
  form?: Record<string, string | number | boolean>
  text?: string
}

const WORDS = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } }

/**
 * Sends an HTTP request; the result is `{status, headers, body}`. Redirects are not followed. Unless an expectation or a capture is
 * about the status, it must be below 400.
 */
export const http: StepKind<HttpSettings> = {
  schema: {
    type: 'object',
    description: 'Sends an HTTP request; the result is `{status, headers, body}`.',
    additionalProperties: false,
    required: ['url'],
    properties: {
      ...REQUEST_PROPERTIES,
      method: { enum: METHODS },
      query: WORDS,
      json: {},
      form: WORDS,
      text: { type: 'string' },
    },
    not: {
      anyOf: [
        { required: ['json', 'form'] },
        { required: ['json', 'text'] },
        { required: ['form', 'text'] },
      ],
    },
  },
  defaultTimeoutMs: 30_000,
  runner: 'HTTP',
  implied: [
    {
      name: 'no error status',
      path: '$.status',
      assert: 'lessThan',
      value: 400,
      saidBy: ['status'],
    },
  ],
  async run(settings, context) {
    const { method = hasBody(settings) ? 'POST' : 'GET', url, query = {} } = settings
    const target = Object.keys(query).length > 0 ? withQuery(url, query) : url
    const content = { method, ...bodyOf(settings) }
    return { result: await sendRequest({ ...settings, url: target }, content, context) }
  },
}

const hasBody = ({ json, form, text }: HttpSettings) =>
  json !== undefined || form !== undefined || text !== undefined

function bodyOf({ json, form, text }: HttpSettings): { type?: string; body?: string } {
  if (json !== undefined) return { type: 'application/json', body: toJson(json) }
  if (form) return { type: 'application/x-www-form-urlencoded', body: `${encoded(form)}` }
  return text === undefined ? {} : { type: 'text/plain; charset=utf-8', body: text }
}

const encoded = (values: Record<string, string | number | boolean>) =>
  new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  )

function withQuery(url: string, query: Record<string, string | number | boolean>): string {
  const [address = '', fragment] = url.split('#', 2)
  const joined = `${address}${address.includes('?') ? '&' : '?'}${encoded(query)}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}
