import { simpleResult } from '../../schema/simple-result.ts'
import { parseCredentials } from '../credentials.ts'
import { parseBoolean } from '../parameters.ts'
import { type RestRequest, type Route, route } from '../route.ts'
import { type ResultData, SIMPLE_RESULT } from './result-shape.ts'

const operation = `mutation Execute($input: ExecuteInput!) { execute(input: $input) { ${SIMPLE_RESULT} } }`

const execute = (path: Route['path'], summary: string, type: 'TEST' | null): Route =>
  route<{ execute: ResultData }>({
    method: 'post',
    path,
    summary,
    operation,
    variables: ({ headers, query, params }: RestRequest) => ({
      input: {
        credentials: parseCredentials(headers.credentials),
        wait: parseBoolean('synchron', query.synchron),
        callbackUrl: query.callbackUrl ?? null,
        contextId: params.id,
        type,
      },
    }),
    respond: (data) => ({ status: 200, body: simpleResult(data.execute) }),
    errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'OVERLOADED'],
  })

export const executions: readonly Route[] = [
  execute('/testcase/:id/execute', 'Execute a scenario', 'TEST'),
  execute('/execute/:id', 'Execute a scenario or a suite', null),
]
