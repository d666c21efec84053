import { type DirectiveNode, Kind } from 'graphql'
import { getOwn, type Json } from './own.ts'

/** `@skip` or `@include`, each with the value that its variable must have. */
export interface Condition {
  variable: string
  value: boolean
}

/** A field counts when all conditions of one of its occurrences hold; null where none has any. */
export type Conditions = readonly (readonly Condition[])[] | null

/** @returns the first occurrence that counts with these variables, or -1 */
export const firstIncluded = (conditions: Conditions, variables: Json): number =>
  conditions === null
    ? 0
    : conditions.findIndex((all) =>
        all.every(({ variable, value }) => getOwn(variables, variable) === value),
      )

/** True if a field counts with these variables. */
export const isIncluded = (conditions: Conditions, variables: Json): boolean =>
  conditions === null || firstIncluded(conditions, variables) >= 0

/** @returns null when what bears these directives never counts */
export function conditionsOf(directives: readonly DirectiveNode[] = []): Condition[] | null {
  const conditions: Condition[] = []
  for (const { name, arguments: args } of directives) {
    if (name.value !== 'skip' && name.value !== 'include') continue
    const value = args?.find((argument) => argument.name.value === 'if')?.value
    const wanted = name.value === 'include'
    if (value?.kind === Kind.VARIABLE)
      conditions.push({ variable: value.name.value, value: wanted })
    else if (value?.kind === Kind.BOOLEAN && value.value !== wanted) return null
  }
  return conditions
}
