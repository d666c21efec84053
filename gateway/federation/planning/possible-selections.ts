import {
  type CompositeType,
  isInterfaceObjectType,
  type OperationElement,
  runtimeTypesIntersects,
  type SelectionSet,
} from '@apollo/federation-internals'

/** Leaves of selections at the end of a path what the objects there may have: their types exclude others. */
export const possibleAt = (
  path: readonly OperationElement[],
  selections: SelectionSet,
): SelectionSet => possibleIn(typesAt(path), selections)

/** The types that an object at the end of a path has. */
function typesAt(path: readonly OperationElement[]): CompositeType[] {
  const fragments = path.slice(path.findLastIndex(({ kind }) => kind === 'Field') + 1)
  return fragments.flatMap((element) =>
    element.kind === 'FragmentElement' ? (element.typeCondition ?? []) : [],
  )
}

const possibleIn = (types: readonly CompositeType[], selections: SelectionSet): SelectionSet =>
  selections.lazyMap((selection) => {
    if (selection.kind !== 'FragmentSelection') return selection
    const { typeCondition = [] } = selection.element
    const all = types.concat(typeCondition)
    if (all.some((one) => all.some((other) => areDisjoint(one, other)))) return undefined
    const below = possibleIn(all, selection.selectionSet)
    return below.isEmpty() ? undefined : selection.withUpdatedSelectionSet(below)
  })

/** An interface object stands for any type of the interface. */
const areDisjoint = (one: CompositeType, other: CompositeType): boolean =>
  !isInterfaceObjectType(one) &&
  !isInterfaceObjectType(other) &&
  !runtimeTypesIntersects(one, other)
