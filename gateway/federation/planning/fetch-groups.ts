import {
  MapWithCachedArrays,
  type OperationElement,
  SelectionSet,
} from '@apollo/federation-internals'
import { possibleAt } from './possible-selections.ts'

/** What the planner makes each fetch of. Its class is not exported. */
interface FetchGroup {
  isEntityFetch: boolean
  /** Where its objects stand in the response. */
  mergeAt: readonly string[] | undefined
  parents(): readonly Parent[]
  /** Of variables, or whether it is fetched always or never. */
  conditions(): boolean | readonly object[]
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

/** Has the planner merge fetches only where that is right. */
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
  // Of an interface object it makes every type of the interface. Planning would fail on a type within another.
  prototype.addAtPath = function (path, selection) {
    const possible = selection instanceof SelectionSet ? possibleAt(path, selection) : selection
    if (!(possible instanceof SelectionSet && possible.isEmpty()))
      addAtPath.call(this, path, possible)
  }
  // A fetch is about the same objects as that of their key, which it waits for. Unless it knows, it forgets to wait for
  // what it requires besides.
  prototype.addParents = function (parents) {
    const isFirst = this.parents().length === 0
    const withPath = (parent: Parent): Parent =>
      parent.path || !areOfSameObjects(this, parent.group) ? parent : { ...parent, path: [] }
    addParents.call(this, isFirst ? parents : parents.map(withPath))
  }
  // A fetch that waits for several would forget the others, and what they gather for it.
  prototype.canMergeChildIn = function (child) {
    return child.parents().length === 1 && canMergeChildIn.call(this, child)
  }
  // Of two fetches with the same input one may wait for the other. It must not come to wait for itself, which planning
  // would never end with, nor for what is fetched on a condition that the other does not depend on.
  prototype.mergeInWithAllDependencies = function (other) {
    if (this.isDescendantOf(other)) return
    if (!areSame(conditionalAbove(this), conditionalAbove(other))) return
    this.removeChild(other)
    mergeInWithAllDependencies.call(this, other)
  }
}

const areOfSameObjects = (group: FetchGroup, { isEntityFetch, mergeAt }: FetchGroup): boolean =>
  isEntityFetch && String(mergeAt) === String(group.mergeAt)

/** What a fetch waits for, at any distance, that a condition may leave out. */
const conditionalAbove = (group: FetchGroup): ReadonlySet<FetchGroup> =>
  new Set([...ancestorsOf(group)].filter((one) => typeof one.conditions() !== 'boolean'))

function ancestorsOf(group: FetchGroup, found = new Set<FetchGroup>()): Set<FetchGroup> {
  for (const { group: parent } of group.parents())
    if (!found.has(parent)) ancestorsOf(parent, found.add(parent))
  return found
}

const areSame = (some: ReadonlySet<object>, others: ReadonlySet<object>): boolean =>
  some.size === others.size && [...some].every((one) => others.has(one))

const isFetchGroup = (value: unknown): value is FetchGroup =>
  typeof value === 'object' && value !== null && 'mergeInWithAllDependencies' in value
