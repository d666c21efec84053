import {
  inPath,
  inQuery,
  inQueryRepeated,
  inWords,
  RESULT_ID,
  required,
  showing,
} from '../documents/description.ts'
import { ref } from '../documents/json-schema.ts'
import { filledValues, parseWord, requireQuery } from '../parameters.ts'
import { type Route, routesOf } from '../route.ts'
import { CALLBACKS, CREDENTIALS, ERRORS, OPTIONS, STARTED, start } from './execution-start.ts'
import { type ResultData, resultAnswer, SIMPLE_RESULT } from './result-shape.ts'

const route = routesOf('Execution')

const EXECUTE = `mutation Execute($input: ExecuteInput!) { execute(input: $input) { ${SIMPLE_RESULT} } }`
const EXECUTE_WITHOUT_SIGN_IN = `mutation ExecuteWithoutSignIn($input: ExecuteInput!) {
  execute: executeWithoutSignIn(input: $input) { ${SIMPLE_RESULT} } }`

const TAG_CHOICE = [
  showing(
    inQueryRepeated('tag', 'Of a suite, only scenarios with one of these tags. May be repeated.'),
    ['finance'],
  ),
  showing(
    inQueryRepeated('skipTag', 'Of a suite, no scenarios with one of these tags. May be repeated.'),
    ['slow'],
  ),
]

interface Execute {
  path: Route['path']
  /** Kind of artifact that is executed. */
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
    parameters: [
      inPath('id', `Id of ${what}`, example),
      ...OPTIONS,
      showing(
        inQuery('environmentId', 'Environment that the scenarios run in, instead of their own.'),
        'local',
      ),
      ...TAG_CHOICE,
      noAuth ? CREDENTIALS : required(CREDENTIALS),
    ],
    operation: noAuth ? EXECUTE_WITHOUT_SIGN_IN : EXECUTE,
    variables: (request) => ({
      input: {
        ...start(request, noAuth),
        contextId: request.params.id,
        type,
        // Empty where a script passes a variable that is not set.
        environmentId: request.query.environmentId || null,
        tags: filledValues(request, 'tag'),
        skipTags: filledValues(request, 'skipTag'),
      },
    }),
    respond: ({ execute }) => resultAnswer(execute),
    errors: ERRORS,
    answers: { 200: STARTED },
    callbacks: CALLBACKS,
  })

const SCOPES = ['all', 'not-passed', 'flaky'] as const
const REVISIONS = ['now', 'then'] as const

const again = route<{ executeAgain: ResultData }>({
  method: 'post',
  path: '/result/:resultId/execute',
  summary: 'Execute again what an execution has run, or a part of it',
  parameters: [
    RESULT_ID,
    inWords(
      'only',
      'All of it, what did not pass or never began, or what passed only when it was tried again; in any case.',
      SCOPES,
    ),
    inWords(
      'revisions',
      'Artifacts as they are now, or as they were then; in any case.',
      REVISIONS,
    ),
    ...OPTIONS,
    CREDENTIALS,
  ],
  operation: `mutation ExecuteAgain($input: ExecuteAgainInput!) {
    executeAgain(input: $input) { ${SIMPLE_RESULT} } }`,
  variables: (request) => ({
    input: {
      ...start(request, true),
      resultId: request.params.resultId,
      only: parseWord('only', request.query.only, SCOPES).toUpperCase().replace('-', '_'),
      revisions: parseWord('revisions', request.query.revisions, REVISIONS).toUpperCase(),
    },
  }),
  respond: ({ executeAgain }) => resultAnswer(executeAgain),
  errors: ERRORS,
  answers: { 200: STARTED },
  callbacks: CALLBACKS,
})

const cancel = route<{ cancelExecution: ResultData }>({
  method: 'post',
  path: '/result/:resultId/cancel',
  summary: 'End an execution before its time, a suite with all its scenarios but its teardown',
  parameters: [
    RESULT_ID,
    showing(
      inQuery('reason', 'Why; the message of the result holds it, up to 1000 characters.'),
      'The build was aborted',
    ),
  ],
  operation: `mutation Cancel($input: CancelExecutionInput!) {
    cancelExecution(input: $input) { ${SIMPLE_RESULT} } }`,
  variables: ({ params, query }) => ({
    input: { id: params.resultId, reason: query.reason ?? null },
  }),
  respond: ({ cancelExecution }) => resultAnswer(cancelExecution),
  errors: ['NOT_FOUND', 'CONFLICT'],
  answers: {
    200: {
      description:
        'The execution: ERROR with the reason in its message; RUNNING while a suite is torn down',
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
    parameters: [
      required(inQuery('componentName', 'Name of the component.', undefined, 'Loan schedule')),
      required(inQuery('environmentId', 'Id of the environment.', undefined, 'local')),
      ...OPTIONS,
      showing(inQuery('loadlibrary', 'Accepted and ignored.'), 'LOADLIB'),
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
    respond: ({ executeComponent }) => resultAnswer(executeComponent),
    errors: ERRORS,
    answers: { 200: STARTED },
    callbacks: CALLBACKS,
  }),
  again,
  cancel,
]
