import type { GraphQLError } from 'graphql'
import type { Path } from './response-path.ts'

/** A path in the response that an error is at, or above. */
class PathNode {
  hasError = false
  below: Map<string | number, PathNode> | undefined
}

/** Returns true if an error explains a fault at a place. */
export type IsExplained = (path: Path) => boolean

/**
 * An error explains the faults at its place and below it, where a fetch failed, and above it, whose null took the object
 * with it. An error without a path may be about any root field.
 * @param lost places of fetches that brought nothing because of an error anywhere in them
 */
export function explanationsOf(
  errors: readonly GraphQLError[],
  lost: readonly Path[],
): IsExplained {
  const isAnywhere = errors.some(({ path }) => !path)
  let root: PathNode | undefined
  return (path) => {
    root ??= treeOf(errors, lost)
    return isExplained(root, path) || (isAnywhere && path.length === 1)
  }
}

function treeOf(errors: readonly GraphQLError[], lost: readonly Path[]): PathNode {
  const root = new PathNode()
  for (const { path } of errors) if (path) mark(root, path)
  for (const path of lost) mark(root, path)
  return root
}

function mark(root: PathNode, path: Path): void {
  let node = root
  for (const step of path) {
    node.below ??= new Map()
    const next = node.below.get(step) ?? new PathNode()
    node.below.set(step, next)
    node = next
  }
  node.hasError = true
}

function isExplained(root: PathNode, path: Path): boolean {
  let node = root
  for (const step of path) {
    const next = node.below?.get(step)
    if (!next) return false
    if (next.hasError) return true
    node = next
  }
  return true
}
