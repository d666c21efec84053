import { createHmac } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type SimpleResultData, simpleResult } from '../../../schema/simple-result.ts'
import type { Execution } from '../executions/execution.ts'
import { reportedTests } from '../executions/reported-tests.ts'

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
    const pieces: Buffer[] = []
    let inTurn = 0
    for (const text of callbackBody(execution)) {
      const piece = Buffer.from(text)
      signature.update(piece)
      pieces.push(piece)
      inTurn += piece.length
      if (inTurn < TURN_BYTES) continue
      await nextTurn()
      inTurn = 0
    }
    return {
      body: Buffer.concat(pieces),
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

/** Bytes of a body that are made before other work has its turn: a few milliseconds. */
const TURN_BYTES = 262_144

/** The same text that reading the simple result over REST gives, in pieces: a suite has many results. */
const callbackBody = ({ members, ...execution }: EndedExecution): Iterable<string> =>
  textOf(execution, members)

function* textOf(execution: Execution, members: readonly Execution[]): Iterable<string> {
  // Within texts the quotes are escaped, so this stands there once.
  const [before, after] = JSON.stringify(simpleResult(resultData(execution))).split(NO_RESULTS)
  const results = [...members, ...reportedTests(execution)]
  yield `${before}"testCaseResults":[`
  for (const [at, result] of results.entries()) {
    if (at > 0) yield ','
    yield* textOf(result, [])
  }
  yield `]${after}`
}

const NO_RESULTS = '"testCaseResults":[]'

const resultData = (execution: Execution): SimpleResultData => ({
  ...execution,
  started: execution.started.toISOString(),
  ended: execution.ended?.toISOString() ?? null,
  testCaseResults: [],
})
