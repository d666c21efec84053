import {
  type CompositeType,
  isInterfaceObjectType,
  type OperationElement,
  runtimeTypesIntersects,
  SelectionSet,
} from '@apollo/federation-internals'
import { type FetchGroup, fetchGroupPrototype } from './fetch-group.ts'
import { overriding } from './fix.ts'

/**
 * Defect: of an interface object, the planner makes every type of the interface, and adds to a fetch for objects of one
 * type what only another type has.
 *
 *     a: type Query { ms: [M] } interface M @key(fields: "id") { id: ID! x: String } types A1 and A2 implement M
 *     b: type M @key(fields: "id") @interfaceObject { … b1: String @requires(fields: "x") b2: String }
 *     c: type M @key(fields: "id") @interfaceObject { … c: String @requires(fields: "b1 b2") }
 *     { ms { ... on A1 { c } } } → Cannot add fragment of condition "A2" to parent type "A1"
 *
 * Text to file: "FetchGroup.addAtPath adds fragments whose type conditions exclude those of the path".
 * Can go when `addAtPath` leaves them out.
 */
export const interfaceObjectTypes = overriding(
  fetchGroupPrototype,
  'addAtPath',
  (addAtPath) =>
    function (this: FetchGroup, path: readonly OperationElement[], selection?: object) {
      const possible = selection instanceof SelectionSet ? possibleAt(path, selection) : selection
      if (!(possible instanceof SelectionSet && possible.isEmpty()))
        addAtPath.call(this, path, possible)
    },
)

/** Leaves of selections at the end of a path what the objects there may have: their types exclude others. */
const possibleAt = (path: readonly OperationElement[], selections: SelectionSet): SelectionSet =>
  possibleIn(typesAt(path), selections)

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
