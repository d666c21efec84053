import { Webhook } from 'standardwebhooks'
import { type SimpleResultData, simpleResult } from '../../../schema/simple-result.ts'
import type { Execution } from '../executions/execution.ts'
import { reportedTests } from '../executions/reported-tests.ts'

/** Text and headers of a POST that reports the end of an execution. */
export interface CallbackRequest {
  headers: Record<string, string>
  body: string
}

/** With the results of the scenarios of a suite. */
export type EndedExecution = Execution & { members: readonly Execution[] }

/** Makes the request of an attempt. @param id of the delivery: the same in every attempt */
export type CallbackSigner = (id: string, execution: EndedExecution, now: Date) => CallbackRequest

/**
 * Signs callbacks as Standard Webhooks describes it.
 * @param secret CALLBACK_SIGNING_SECRET: `whsec_` and Base64
 */
export function createCallbackSigner(secret: string): CallbackSigner {
  const webhook = new Webhook(secret)
  return (id, execution, now) => {
    const body = callbackBody(execution)
    return {
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'assay',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': webhook.sign(id, now, body),
      },
    }
  }
}

/** The same text that reading the simple result over REST gives. */
const callbackBody = ({ members, ...execution }: EndedExecution): string =>
  JSON.stringify(simpleResult(resultData(execution, members)))

const resultData = (
  execution: Execution,
  members: readonly Execution[] = [],
): SimpleResultData => ({
  ...execution,
  started: execution.started.toISOString(),
  ended: execution.ended?.toISOString() ?? null,
  testCaseResults: [...members, ...reportedTests(execution)].map((each) => resultData(each)),
})
