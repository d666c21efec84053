import { type SimpleResultData, simpleResultText } from '../../../formats/simple-result.ts'
import {
  createWebhookSigner,
  type SignedBody,
} from '../../../platform/deliveries/webhook-signer.ts'
import type { Execution } from '../executions/execution.entity.ts'
import { reportedTests } from '../executions/read/reported-tests.ts'

/** With the results of the scenarios of a suite. */
export type EndedExecution = Execution & { members: readonly Execution[] }

/** Makes the request of an attempt. @param id of the delivery: the same in every attempt */
export type CallbackSigner = (
  id: string,
  execution: EndedExecution,
  now: Date,
) => Promise<SignedBody>

/** @param secret CALLBACK_SIGNING_SECRET: `whsec_` and Base64 */
export function createCallbackSigner(secret: string): CallbackSigner {
  const sign = createWebhookSigner(secret)
  return (id, execution, now) => sign(id, callbackBody(execution), now)
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
