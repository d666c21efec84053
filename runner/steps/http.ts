import { toJson } from '../../formats/json/values.ts'
import { withSegments } from './path-segments.ts'
import { REQUEST_PROPERTIES, type RequestSettings, sendRequest } from './request.ts'
import type { StepKind } from './step-kind.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

type Words = Record<string, string | number | boolean>

export interface HttpSettings extends RequestSettings {
  method?: (typeof METHODS)[number]
  /** Values of `{name}` in the path of the URL, each one segment of it. */
  segments?: Words
  /** Appended to the URL. */
  query?: Words
  /** At most one of these is the body. */
  json?: unknown
  form?: Words
  text?: string
}

const WORDS = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } }

/**
 * Sends an HTTP request; the result is `{status, headers, cookies, body}`. Redirects are not followed. Unless an expectation or a capture is
 * about the status, it must be below 400.
 */
export const http: StepKind<HttpSettings> = {
  schema: {
    type: 'object',
    description: 'Sends an HTTP request; the result is `{status, headers, cookies, body}`.',
    additionalProperties: false,
    required: ['url'],
    properties: {
      ...REQUEST_PROPERTIES,
      method: { enum: METHODS },
      segments: {
        ...WORDS,
        description: 'Values of `{name}` in `url`, each encoded as one segment of its path.',
      },
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
    const { method = hasBody(settings) ? 'POST' : 'GET', query = {}, segments } = settings
    const url = segments ? withSegments(settings.url, segments) : settings.url
    const target = Object.keys(query).length > 0 ? withQuery(url, query) : url
    const content = { method, ...bodyOf(settings) }
    return { result: await sendRequest({ ...settings, url: target }, content, context) }
  },
}

const hasBody = ({ json, form, text }: HttpSettings) =>
  json !== undefined || form !== undefined || text !== undefined

function bodyOf({ json, form, text }: HttpSettings): { type?: string; body?: string } {
  if (json !== undefined) return { type: 'application/json', body: toJson(json) }
  if (form) return { type: 'application/x-www-form-urlencoded', body: formOf(form) }
  return text === undefined ? {} : { type: 'text/plain; charset=utf-8', body: text }
}

const formOf = (values: Words): string =>
  new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()

function withQuery(url: string, query: Words): string {
  const [address = '', fragment] = url.split('#', 2)
  // A plus is a blank in forms alone: many servers read it as itself in a query.
  const encoded = formOf(query).replaceAll('+', '%20')
  const joined = `${address}${address.includes('?') ? '&' : '?'}${encoded}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}
