import { ExactNumber, lossOf } from '../schema/exact-number.ts'
import { parseExact, reviveExact } from '../schema/json.ts'
import { exactLiteral } from '../subgraphs/platform/exact-literal.ts'
import type { JsonReader } from './federation/index.ts'

/** Numbers keep their digits on the way through the gateway. */
export const exactJson: JsonReader = {
  parse: parseExact,
  revive: reviveExact,
  literal: exactLiteral,
  lossOf: (number) => (number instanceof ExactNumber ? lossOf(number) : undefined),
}
