import { randomInt } from 'node:crypto'
import { type Loaded, runWrk } from '../wrk.ts'

/** Times as many as connections: two requests of one caller are never on their way at once. */
const CALLERS = 4

/** The callers: without a sign-in, with a different header each, or with one of these tokens each. */
export type Callers = 'alike' | 'different' | readonly string[]

/** Posts a body for some seconds. @param pauseMs mean pause of a connection before each request */
export const load = (
  url: string,
  body: string,
  seconds: number,
  callers: Callers,
  connections: number,
  pauseMs = 0,
): Promise<Loaded> =>
  runWrk({
    ...{ url, connections, seconds },
    env: {
      BODY: body,
      PAUSE: `${pauseMs}`,
      SEED: `${randomInt(2 ** 30)}`, // two generators beside each other do not pause alike
      TOKENS: tokensOf(callers, connections).join(' '),
    },
  })

function tokensOf(callers: Callers, connections: number): readonly string[] {
  if (typeof callers === 'object') return callers
  const count = callers === 'different' ? CALLERS * connections : 0
  return Array.from({ length: count }, (_, caller) => String(caller + 1))
}
