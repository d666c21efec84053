import {
  type Answer,
  GENERATED_ID,
  inHeader,
  inQuery,
  inQueryRepeated,
  type Parameter,
  required,
  showing,
} from '../documents/description.ts'
import { ref } from '../documents/json-schema.ts'
import { parseBoolean, parseCredentials, parseLabels } from '../parameters.ts'
import type { RestRequest } from '../route.ts'

export const CREDENTIALS = inHeader(
  'credentials',
  'Base64 of `<USER_ID>:<PASSWORD>`, the sign-in at the host of the component. Never stored in clear, never returned.',
  'Y2k6c2VjcmV0',
)

const IDEMPOTENCY_KEY = showing(
  inHeader(
    'Idempotency-Key',
    'Makes the call safe to repeat: the same key within 24 hours gets the same execution, and nothing is started twice.',
  ),
  'nightly-build-42',
)

export const OPTIONS: readonly Parameter[] = [
  inQuery(
    'synchron',
    'Answer only when the execution has ended.',
    { type: 'boolean', default: false },
    true,
  ),
  showing(
    inQuery(
      'callbackUrl',
      'http or https URL that the result is posted to after the end, signed as Standard Webhooks describes.',
    ),
    'https://ci.example/hooks/assay',
  ),
  inQueryRepeated(
    'label',
    'A mark to find the execution by, such as `build=42`. May be repeated, up to 20 times; the scenarios of a suite have it, too.',
    'build=42',
  ),
  IDEMPOTENCY_KEY,
]

/** Input of every start of an execution. Credentials are judged before anything else. */
export function start(request: RestRequest, credentialsOptional = false) {
  const { headers, query } = request
  const isWithout = credentialsOptional && headers.credentials === undefined
  return {
    credentials: isWithout ? null : parseCredentials(headers.credentials),
    wait: parseBoolean('synchron', query.synchron),
    callbackUrl: query.callbackUrl ?? null,
    labels: parseLabels(request),
    idempotencyKey: headers['idempotency-key'] ?? null,
  }
}

export const ERRORS = [
  'NOT_FOUND',
  'CONFLICT',
  'IDEMPOTENCY_MISMATCH',
  'DOWNSTREAM_ANSWER_LOST',
  'DOWNSTREAM_TIMEOUT',
] as const

export const STARTED: Answer = {
  description: 'The execution: RUNNING, or in its final state if `synchron` is true',
  schema: ref('ExecutionResult'),
}

/** A header of every callback. */
const sent = (name: string, description: string, example: string): Parameter =>
  showing(required(inHeader(name, description)), example)

/** Requests that arrive at `callbackUrl`. */
export const CALLBACKS = {
  executionEnded: {
    '{$request.query.callbackUrl}': {
      post: {
        summary: 'The execution has ended: its result, signed as Standard Webhooks describes',
        parameters: [
          sent('webhook-id', 'Of the delivery, the same every time it is tried.', GENERATED_ID),
          sent('webhook-timestamp', 'When it was sent; seconds since 1970.', '1769847300'),
          sent(
            'webhook-signature',
            '`v1,` and Base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`.',
            'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
          ),
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: ref('ExecutionResult') } },
        },
        responses: {
          '2XX': { description: 'It is delivered.' },
          410: { description: 'The receiver is gone; no further attempts.' },
          default: { description: 'It is tried again, after longer and longer waits.' },
        },
      },
    },
  },
} as const
