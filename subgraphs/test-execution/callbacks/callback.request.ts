import { createHmac } from 'node:crypto'
import { type SimpleResultData, simpleResultText } from '../../../formats/simple-result.ts'
import { inTurns } from '../../../platform/async/turns.ts'
import type { Execution } from '../executions/execution.entity.ts'
import { reportedTests } from '../executions/read/reported-tests.ts'

/** Body and headers of a POST that reports how an execution ended. */
export interface CallbackRequest {
  headers: Record<string, string>
  body: Buffer
}

/** With the results of the scenarios of a suite. */
export type EndedExecution = Execution & { members: readonly Execution[] }

/** Makes the request of an attempt. @param id of the delivery: the same in every attempt */
export type CallbackSigner = (
  id: string,
  execution: EndedExecution,
  now: Date,
) => Promise<CallbackRequest>

/**
 * Signs callbacks as Standard Webhooks describes it.
 * @param secret CALLBACK_SIGNING_SECRET: `whsec_` and Base64
 */
export function createCallbackSigner(secret: string): CallbackSigner {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return async (id, execution, now) => {
    const timestamp = String(Math.floor(now.getTime() / 1_000))
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`)
    const body = await inTurns(callbackBody(execution), (part) => void signature.update(part))
    return {
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'assay',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature.digest('base64')}`,
      },
    }
  }
}

/** The same text that reading the simple result over REST gives. */
const callbackBody = ({ members, ...execution }: EndedExecution): Iterable<string> =>
  simpleResultText(resultData(execution, members))

const resultData = (
  execution: Execution,
  members: readonly Execution[] = [],
): SimpleResultData => ({
  ...execution,
  started: execution.started.toISOString(),
  ended: execution.ended?.toISOString() ?? null,
  testCaseResults: nestedData(execution, members),
})

/** One by one, as they are written: there may be tens of thousands. */
function* nestedData(
  execution: Execution,
  members: readonly Execution[],
): Generator<SimpleResultData> {
  for (const member of members) yield resultData(member)
  for (const reported of reportedTests(execution)) yield resultData(reported)
}
