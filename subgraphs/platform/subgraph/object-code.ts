import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLOutputType,
  GraphQLString,
  getNullableType,
} from 'graphql'

/*
 * Code that is made of source text for the objects of one selection. There each property has a place of its own, for
 * which V8 remembers where it lies; a loop over fields looks up each property by its name. Operations that hardly run
 * have none, as most of them would wait for code longer than it saves.
 */

/** After how many objects of a selection code is made for it. Tests make it at once. */
export const codeAfter = { objects: 1_000 }

/** Code of more fields takes long to make, and V8 runs it no faster than a loop. */
const MAX_FIELDS = 200

/** Runs the loop until code is worth making; for good, where Node.js may make none. */
export function withCode<Args extends unknown[], Result>(
  fields: readonly unknown[],
  loop: (...args: Args) => Result,
  makeCode: () => (...args: Args) => Result,
): { run: (...args: Args) => Result } {
  if (fields.length > MAX_FIELDS) return { run: loop }
  let objects = 0
  const both = {
    run(...args: Args): Result {
      if (++objects <= codeAfter.objects) return loop(...args)
      both.run = loop
      try {
        both.run = makeCode()
      } catch (error) {
        if (!(error instanceof EvalError)) throw error
      }
      return both.run(...args)
    },
  }
  return both
}

/** @param known what the code can name @param code that returns a function */
export const functionOf = <Made>(known: Record<string, unknown>, code: string): Made =>
  new Function(...Object.keys(known), `'use strict'\n${code}`)(...Object.values(known))

/** A name of GraphQL, which has no signs that mean anything, as code. */
export const nameCode = (name: string): string => JSON.stringify(name)

/** What most values of the built-in scalars are. */
const PLAIN = new Map<GraphQLOutputType, string>([
  [GraphQLString, 'typeof value === "string"'],
  [GraphQLID, 'typeof value === "string"'],
  [GraphQLInt, 'typeof value === "number" && (value | 0) === value'],
  [GraphQLFloat, 'typeof value === "number" && Number.isFinite(value)'],
  [GraphQLBoolean, 'typeof value === "boolean"'],
])

/** Code that holds only for a `value` that stays as it is. All others, null among them, the type has to look at. */
export const plainTest = (type: GraphQLOutputType): string =>
  PLAIN.get(getNullableType(type)) ?? 'false'
