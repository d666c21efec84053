import { parseExact, reviveExact, rounded } from '../schema/json.ts'
import { exactLiteral } from '../subgraphs/platform/exact-literal.ts'
import type { Json, JsonReader } from './federation/index.ts'

/** Numbers keep their digits on the way through the gateway. */
export const exactJson: JsonReader = {
  parse: parseExact,
  revive: reviveExact,
  literal: exactLiteral,
  rounded: (variables) => rounded(variables) as Json,
}
