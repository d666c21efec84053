import type { GraphQLError } from 'graphql'
import type { Path } from './response-path.ts'

/** A path in the response that an error is at, or above. */
class PathNode {
  hasError = false
  readonly below = new Map<string | number, PathNode>()
}

/**
 * The faults of a response that no error explains: one at the same place, above it, where a fetch failed, or below it,
 * whose null took the object with it. An error without a path may be about any root field.
 * @param lost places of fetches that brought nothing because of an error anywhere in them
 */
export function unexplained(
  faults: readonly GraphQLError[],
  errors: readonly GraphQLError[],
  lost: readonly Path[],
): readonly GraphQLError[] {
  if (errors.length === 0) return faults
  const root = new PathNode()
  for (const { path } of errors) if (path) mark(root, path)
  for (const path of lost) mark(root, path)
  const isAnywhere = errors.some(({ path }) => !path)
  return faults.filter(
    ({ path = [] }) => !isExplained(root, path) && !(isAnywhere && path.length === 1),
  )
}

function mark(root: PathNode, path: Path): void {
  let node = root
  for (const step of path) {
    const next = node.below.get(step) ?? new PathNode()
    node.below.set(step, next)
    node = next
  }
  node.hasError = true
}

function isExplained(root: PathNode, path: Path): boolean {
  let node = root
  for (const step of path) {
    const next = node.below.get(step)
    if (!next) return false
    if (next.hasError) return true
    node = next
  }
  return true
}
