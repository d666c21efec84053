import { exactLiteral } from '../formats/graphql/exact-literal.ts'
import { ExactNumber, lossOf } from '../formats/json/exact-number.ts'
import { parseExact, reviveExact } from '../formats/json/json.ts'
import type { JsonReader } from './federation/index.ts'

/** Numbers keep their digits on the way through the gateway. */
export const exactJson: JsonReader = {
  parse: parseExact,
  revive: reviveExact,
  literal: exactLiteral,
  lossOf: (number) => (number instanceof ExactNumber ? lossOf(number) : undefined),
}
