import { simpleResult } from '../../schema/simple-result.ts'
import { ref } from '../documents/json-schema.ts'
import { objectOf } from '../parameters.ts'
import { BODY_ERRORS, type Route, route } from '../route.ts'
import { BODY_LIMIT } from './apply.ts'
import { CALLBACK, CREDENTIALS, ERRORS, OPTIONS, STARTED, start } from './execution-start.ts'
import { type ResultData, SIMPLE_RESULT } from './result-shape.ts'

export const inline: readonly Route[] = [
  route<{ executeInline: ResultData }>({
    method: 'post',
    path: '/execute',
    summary: 'Execute artifacts without storing them',
    area: 'Execution',
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
    respond: (data) => ({ status: 200, body: simpleResult(data.executeInline) }),
    errors: ['FORBIDDEN', ...BODY_ERRORS, ...ERRORS],
    answers: { 200: STARTED },
    callback: CALLBACK,
  }),
]
