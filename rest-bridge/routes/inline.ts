import { ref } from '../documents/json-schema.ts'
import { objectOf } from '../parameters.ts'
import { type Route, routesOf } from '../route.ts'
import { BODY_LIMIT } from './apply.ts'
import { CALLBACKS, CREDENTIALS, ERRORS, OPTIONS, STARTED, start } from './execution-start.ts'
import { type ResultData, resultAnswer, SIMPLE_RESULT } from './result-shape.ts'

const route = routesOf('Execution')

export const inline: readonly Route[] = [
  route<{ executeInline: ResultData }>({
    method: 'post',
    path: '/execute',
    summary: 'Execute artifacts without storing them',
    parameters: [...OPTIONS, CREDENTIALS],
    bodyLimit: BODY_LIMIT,
    body: {
      schema: ref('ArtifactsToExecute'),
      example: {
        contextId: 'pause',
        artifacts: [
          { kind: 'testcase', id: 'pause', scenario: { steps: [{ id: 'a', wait: { ms: 1 } }] } },
        ],
      },
    },
    operation: `mutation ExecuteInline($input: ExecuteInlineInput!) {
      executeInline(input: $input) { ${SIMPLE_RESULT} } }`,
    variables: (request) => ({ input: { ...objectOf(request.body), ...start(request, true) } }),
    respond: ({ executeInline }) => resultAnswer(executeInline),
    errors: ERRORS,
    answers: { 200: STARTED },
    callbacks: CALLBACKS,
  }),
]
