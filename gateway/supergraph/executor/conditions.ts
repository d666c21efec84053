import { type DirectiveNode, Kind } from 'graphql'
import { getOwn, type Json } from './own.ts'

/** `@skip` or `@include`, each with the value that its variable must have. */
export interface Condition {
  variable: string
  value: boolean
}

/** A field counts when all conditions of one of its occurrences hold; null where one occurrence has none. */
export type Conditions = readonly (readonly Condition[])[] | null

/** Whether a field counts with these variables. */
export function isIncluded(conditions: Conditions, variables: Json): boolean {
  if (conditions === null) return true
  return conditions.some((all) =>
    all.every(({ variable, value }) => getOwn(variables, variable) === value),
  )
}

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
