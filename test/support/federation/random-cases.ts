import { isDeepStrictEqual } from 'node:util'
import { type ExecutionResult, parse, print } from 'graphql'
import { withUnconditionalParts } from '../../../gateway/federation/apollo-fixes/conditional-parts.ts'
import { openCaller } from '../../../platform/access/caller.ts'
import { CHAOS } from './chaos.ts'
import { besideErrorsOf, errorsAnywhereOf, toldAsOurs } from './differences.ts'
import type { Graph } from './graph.ts'
import { randomOperation } from './random-operation.ts'
import { seededRandom } from './seeded-random.ts'

export interface RandomCases {
  seed: number
  cases: number
  /** Executor that is compared with Apollo's. Default: ours. */
  executor?: Graph['ours']
  /** More differences add no information. Default: 3. */
  enough?: number
}

/** States of the data for each operation, so that planning does not take most of the time. */
const STATES = 5

/** Runs random operations on random nulls, gaps and errors. @returns a description of the first cases that differ */
export async function differencesOf(
  graph: Graph,
  { seed, cases, executor = graph.ours, enough = 3 }: RandomCases,
): Promise<string[]> {
  const random = seededRandom(seed)
  const differences: string[] = []
  for (let index = 0; index < cases && differences.length < enough; index += STATES) {
    // Apollo asks for no field of an object that lacks what a ruled-out one requires; the corpus has a case of that.
    const { query: drawn, variables } = randomOperation(graph.schema, random, graph.requiring)
    // Apollo loses objects all of whose parts are ruled out; the corpus has a case of that.
    const query = print(withUnconditionalParts(parse(drawn)))
    for (let state = 0; state < STATES && index + state < cases; state++) {
      const requestId = state === 0 ? 'calm' : `${CHAOS}${seed}-${index}-${state}`
      const context = { caller: openCaller(requestId) }
      const ours = await executor(query, variables, context)
      const apollos = await graph.apollos(query, variables, context)
      const fault = faultOf(ours, apollos)
      if (fault)
        differences.push(
          [fault, query, variables, requestId, ours, apollos]
            .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
            .join('\n'),
        )
    }
  }
  return differences
}

function faultOf(ours: ExecutionResult, apollos: ExecutionResult): string | null {
  // A whole fetch fails where Apollo sends a document that is not valid, or representations without a key.
  if (apollos.errors?.some(({ path }) => !path || path.includes('_entities'))) return null
  if (!isDeepStrictEqual(ours.data, apollos.data)) return 'The data differ'
  // Apollo may leave the client without any word on why there are no data.
  if (apollos.data === null && !apollos.errors)
    return ours.errors ? null : 'No error explains the missing data'
  const [one, other] = [besideErrorsOf(apollos, ours), toldAsOurs(apollos)].map(errorsAnywhereOf)
  return isDeepStrictEqual(one, other) ? null : 'The errors differ'
}
