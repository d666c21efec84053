import { firstIncluded } from './conditions.ts'
import type { Json } from './own.ts'
import type { SelectedField } from './selection.ts'

type Ordered = Pick<SelectedField, 'conditions' | 'positions'>

/**
 * Compiles in which order the fields of an object come: by the first occurrence that counts. Which one that is can
 * depend on the variables only where a field occurs several times, first under a condition.
 */
export function compileOrder<T extends Ordered>(fields: T[]): (variables: Json) => readonly T[] {
  if (!fields.some(({ conditions, positions }) => conditions?.[0]?.length && positions.length > 1))
    return () => fields
  return (variables) => {
    const placeOf = ({ conditions, positions }: T) =>
      positions[firstIncluded(conditions, variables)] ?? 0
    return fields.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
