import { simpleResultText } from '../../schema/simple-result.ts'
import { parseCredentials } from '../credentials.ts'
import {
  type Answer,
  inHeader,
  inPath,
  inQuery,
  type Parameter,
  required,
} from '../documents/description.ts'
import { ref } from '../documents/json-schema.ts'
import { parseLabels } from '../labels.ts'
import { parseBoolean, requireQuery } from '../parameters.ts'
import { type RestRequest, type Route, route } from '../route.ts'
import { type ResultData, SIMPLE_RESULT } from './result-shape.ts'

const EXECUTE = `mutation Execute($input: ExecuteInput!) { execute(input: $input) { ${SIMPLE_RESULT} } }`
const EXECUTE_WITHOUT_SIGN_IN = `mutation ExecuteWithoutSignIn($input: ExecuteInput!) {
  execute: executeWithoutSignIn(input: $input) { ${SIMPLE_RESULT} } }`

export const CREDENTIALS = inHeader(
  'credentials',
  'Base64 of `<USER_ID>:<PASSWORD>`, the sign-in at the host of the component. Never stored in clear, never returned.',
  'Y2k6c2VjcmV0',
)

const IDEMPOTENCY_KEY = inHeader(
  'Idempotency-Key',
  'Makes the call safe to repeat: the same key within 24 hours gets the same execution, and nothing is started twice.',
)

export const OPTIONS: readonly Parameter[] = [
  inQuery(
    'synchron',
    'Answer only when the execution has ended.',
    { type: 'boolean', default: false },
    true,
  ),
  inQuery(
    'callbackUrl',
    'http or https URL that the result is posted to after the end, signed as Standard Webhooks describes.',
  ),
  inQuery(
    'label',
    'A mark to find the execution by, such as `build=42`. May be repeated, up to 20 times; the scenarios of a suite have it, too.',
    undefined,
    'build=42',
  ),
  IDEMPOTENCY_KEY,
]

export const TAG_CHOICE: readonly Parameter[] = [
  inQuery('tag', 'Of a suite, only scenarios with one of these tags. May be repeated.'),
  inQuery('skipTag', 'Of a suite, no scenarios with one of these tags. May be repeated.'),
]

export const tagChoice = ({ repeated }: RestRequest) => ({
  tags: repeated.tag ?? null,
  skipTags: repeated.skipTag ?? null,
})

interface Execute {
  path: Route['path']
  /** What is executed. */
  what: string
  /** The type that it accepts; null: both. */
  type: 'TEST' | 'SUITE' | null
  example: string
  /** Needs neither sign-in nor host credentials for what allows execution without them. */
  noAuth?: true
}

const execute = ({ path, what, type, example, noAuth }: Execute): Route =>
  route<{ execute: ResultData }>({
    method: 'post',
    path,
    summary: `Execute ${what}`,
    area: 'Execution',
    parameters: [
      inPath('id', `Id of ${what}`, example),
      ...OPTIONS,
      inQuery('environmentId', 'Environment that the scenarios run in, instead of their own.'),
      ...TAG_CHOICE,
      noAuth ? CREDENTIALS : required(CREDENTIALS),
    ],
    operation: noAuth ? EXECUTE_WITHOUT_SIGN_IN : EXECUTE,
    variables: (request) => ({
      input: {
        ...start(request, noAuth),
        contextId: request.params.id,
        type,
        environmentId: request.query.environmentId ?? null,
        ...tagChoice(request),
      },
    }),
    respond: (data) => ({ status: 200, body: undefined, pieces: simpleResultText(data.execute) }),
    errors: [...(noAuth ? (['FORBIDDEN'] as const) : []), ...ERRORS],
    answers: { 200: STARTED },
  })

/** What every start of an execution takes. Credentials are judged before anything else. */
export const start = ({ headers, query, repeated }: RestRequest, credentialsOptional = false) => ({
  credentials:
    credentialsOptional && headers.credentials === undefined
      ? null
      : parseCredentials(headers.credentials),
  wait: parseBoolean('synchron', query.synchron),
  callbackUrl: query.callbackUrl ?? null,
  labels: parseLabels({ repeated }),
  idempotencyKey: headers['idempotency-key'] ?? null,
})

export const ERRORS = [
  'BAD_USER_INPUT',
  'NOT_FOUND',
  'CONFLICT',
  'IDEMPOTENCY_MISMATCH',
  'DOWNSTREAM_ANSWER_LOST',
  'DOWNSTREAM_TIMEOUT',
  'OVERLOADED',
] as const

export const STARTED: Answer = {
  description: 'The execution: RUNNING, or in its final state if `synchron` is true',
  schema: ref('ExecutionResult'),
}

const cancel = route<{ cancelExecution: ResultData }>({
  method: 'post',
  path: '/result/:resultId/cancel',
  summary: 'End an execution before its time, a suite with all its scenarios',
  area: 'Execution',
  parameters: [
    inPath('resultId', 'Result id, as the start of the execution gave it'),
    inQuery('reason', 'Why; the message of the result holds it, up to 1000 characters.'),
  ],
  operation: `mutation Cancel($input: CancelExecutionInput!) {
    cancelExecution(input: $input) { ${SIMPLE_RESULT} } }`,
  variables: ({ params, query }) => ({
    input: { id: params.resultId, reason: query.reason ?? null },
  }),
  respond: (data) => ({
    status: 200,
    body: undefined,
    pieces: simpleResultText(data.cancelExecution),
  }),
  errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'CONFLICT', 'OVERLOADED'],
  answers: {
    200: {
      description: 'The execution: ERROR, with the reason in its message',
      schema: ref('ExecutionResult'),
    },
  },
})

export const executions: readonly Route[] = [
  execute({
    path: '/testcase/:id/execute',
    what: 'a scenario',
    type: 'TEST',
    example: 'loan-schedule',
  }),
  execute({ path: '/suite/:id/execute', what: 'a suite', type: 'SUITE', example: 'finance' }),
  execute({
    path: '/execute/:id',
    what: 'a scenario or a suite',
    type: null,
    example: 'tax-table',
  }),
  execute({
    path: '/noauth/execute/:id',
    what: 'a scenario or a suite, without a sign-in where it allows execution without credentials',
    type: null,
    example: 'loan-schedule',
    noAuth: true,
  }),
  route<{ executeComponent: ResultData }>({
    method: 'post',
    path: '/noauth/testcases/execute',
    summary: 'Execute every scenario that tests a component in an environment',
    area: 'Execution',
    parameters: [
      required(inQuery('componentName', 'Name of the component.', undefined, 'Loan schedule')),
      required(inQuery('environmentId', 'Id of the environment.', undefined, 'local')),
      ...OPTIONS,
      inQuery('loadlibrary', 'Accepted and ignored.'),
      CREDENTIALS,
    ],
    operation: `mutation ExecuteComponent($input: ExecuteComponentInput!) {
      executeComponent(input: $input) { ${SIMPLE_RESULT} } }`,
    variables: (request) => ({
      input: {
        ...start(request, true),
        componentName: requireQuery(request, 'componentName'),
        environmentId: requireQuery(request, 'environmentId'),
      },
    }),
    respond: (data) => ({
      status: 200,
      body: undefined,
      pieces: simpleResultText(data.executeComponent),
    }),
    errors: ['FORBIDDEN', ...ERRORS],
    answers: { 200: STARTED },
  }),
  cancel,
]
