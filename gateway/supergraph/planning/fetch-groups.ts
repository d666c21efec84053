import {
  type CompositeType,
  isInterfaceObjectType,
  MapWithCachedArrays,
  type OperationElement,
  runtimeTypesIntersects,
  SelectionSet,
} from '@apollo/federation-internals'

/** What the planner makes each fetch of. Its class is not exported. */
interface FetchGroup {
  isEntityFetch: boolean
  /** Where its objects stand in the response. */
  mergeAt: readonly string[] | undefined
  parents(): readonly Parent[]
  /** Variables that decide whether it is fetched at all; or whether it ever is. */
  conditions(): boolean | readonly { variable: object; negated: boolean }[]
  isDescendantOf(other: FetchGroup): boolean
  removeChild(child: FetchGroup): void
  canMergeChildIn(child: FetchGroup): boolean
  mergeInWithAllDependencies(other: FetchGroup): void
  addParents(parents: readonly Parent[]): void
  addAtPath(path: readonly OperationElement[], selection?: object): void
}

/** What a group waits for. */
interface Parent {
  group: FetchGroup
  /** From the objects of the parent to those of the group, where it is known. */
  path?: readonly object[] | undefined
}

/**
 * Has the planner merge fetches only where that is right:
 * - one that waits for other fetches besides is not merged into the one before it, of the same subgraph, where a third
 *   subgraph requires its fields: what they require in turn was forgotten;
 * - of two with the same input, where one waits for the other, none comes to wait for itself: planning would not end;
 * - two with the same input are not merged where one waits for what is fetched on a condition: what does not depend on
 *   that would be fetched on that condition, too;
 * - one knows that it is about the same objects as the fetch of their key that it waits for. What it requires besides was
 *   fetched too late;
 * - one asks no object for what only another type has, which the types of an interface made of an interface object lead
 *   to: planning would fail.
 */
export function mendFetchGroups(): void {
  const { set } = MapWithCachedArrays.prototype
  // The first group of any plan is kept in such a map.
  MapWithCachedArrays.prototype.set = function (key: unknown, value: unknown) {
    if (isFetchGroup(value)) {
      MapWithCachedArrays.prototype.set = set
      mend(Object.getPrototypeOf(value))
    }
    return set.call(this, key, value)
  }
}

function mend(prototype: FetchGroup): void {
  const { addAtPath, addParents, canMergeChildIn, mergeInWithAllDependencies } = prototype
  prototype.addAtPath = function (path, selection) {
    const possible =
      selection instanceof SelectionSet ? possibleIn(typesAt(path), selection) : selection
    if (!(possible instanceof SelectionSet && possible.isEmpty()))
      addAtPath.call(this, path, possible)
  }
  prototype.addParents = function (parents) {
    const isFirst = this.parents().length === 0
    const withPath = (parent: Parent): Parent =>
      parent.path || !areOfSameObjects(this, parent.group) ? parent : { ...parent, path: [] }
    addParents.call(this, isFirst ? parents : parents.map(withPath))
  }
  prototype.canMergeChildIn = function (child) {
    return child.parents().length === 1 && canMergeChildIn.call(this, child)
  }
  prototype.mergeInWithAllDependencies = function (other) {
    if (this.isDescendantOf(other) || conditionsAbove(this) !== conditionsAbove(other)) return
    this.removeChild(other)
    mergeInWithAllDependencies.call(this, other)
  }
}

/** The types that an object at the end of a path has. */
function typesAt(path: readonly OperationElement[]): CompositeType[] {
  const fragments = path.slice(path.findLastIndex(({ kind }) => kind === 'Field') + 1)
  return fragments.flatMap((element) =>
    element.kind === 'FragmentElement' ? (element.typeCondition ?? []) : [],
  )
}

/** Leaves what an object of all those types may have. */
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

const areOfSameObjects = (group: FetchGroup, { isEntityFetch, mergeAt }: FetchGroup): boolean =>
  isEntityFetch && String(mergeAt) === String(group.mergeAt)

function conditionsAbove(group: FetchGroup): string {
  const above = new Set<FetchGroup>()
  const found = new Set<string>()
  const add = (one: FetchGroup): void => {
    for (const parent of one.parents()) {
      if (above.has(parent.group)) continue
      above.add(parent.group)
      const conditions = parent.group.conditions()
      if (typeof conditions !== 'boolean')
        for (const { variable, negated } of conditions) found.add(`${negated}${variable}`)
      add(parent.group)
    }
  }
  add(group)
  return [...found].sort().join()
}

const isFetchGroup = (value: unknown): value is FetchGroup =>
  typeof value === 'object' && value !== null && 'mergeInWithAllDependencies' in value
