import type { ResponsePath } from '@apollo/query-planner'
import { getOwn, isObject, type Json } from './own.ts'

/** Keys and list positions, from the root of the response. */
export type Path = readonly (string | number)[]

/** The objects that a plan's path leads to; `@` steps into a list. */
export function objectsAt(root: unknown, path: ResponsePath): Json[] {
  const found: Json[] = []
  walk(root, path, 0, (object) => {
    found.push(object)
  })
  return found
}

/** Where those objects stand, in the same order. Only errors need to know. */
export function pathsAt(root: unknown, path: ResponsePath): Path[] {
  const found: Path[] = []
  walk(root, path, 0, (_object, position) => {
    found.push([...position])
  })
  return found
}

function walk(
  value: unknown,
  path: ResponsePath,
  depth: number,
  visit: (object: Json, position: (string | number)[]) => void,
  position: (string | number)[] = [],
): void {
  if (Array.isArray(value)) {
    const next = path[depth] === '@' ? depth + 1 : depth
    for (const [index, item] of value.entries()) {
      position.push(index)
      walk(item, path, next, visit, position)
      position.pop()
    }
  } else if (isObject(value)) {
    if (depth === path.length) {
      visit(value, position)
      return
    }
    const key = String(path[depth])
    position.push(key)
    walk(getOwn(value, key), path, depth + 1, visit, position)
    position.pop()
  }
}
