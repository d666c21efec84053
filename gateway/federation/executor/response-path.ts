import type { ResponsePath } from '@apollo/query-planner'
import { getOwn, isObject, type Json } from './own.ts'

/** Keys and list positions, from the root of the response. */
export type Path = readonly (string | number)[]

/** The objects that a plan's path leads to; `@` steps into a list. */
export function objectsAt(root: unknown, path: ResponsePath): Json[] {
  const found: Json[] = []
  collect(root, path, 0, found)
  return found
}

function collect(value: unknown, path: ResponsePath, depth: number, found: Json[]): void {
  if (Array.isArray(value)) {
    const next = path[depth] === '@' ? depth + 1 : depth
    for (const item of value) collect(item, path, next, found)
  } else if (isObject(value)) {
    if (depth === path.length) found.push(value)
    else collect(getOwn(value, String(path[depth])), path, depth + 1, found)
  }
}

/** Visits the same objects in the same order, with the position of each; the visitor must copy what it keeps. */
export function eachAt(
  value: unknown,
  path: ResponsePath,
  visit: (object: Json, position: Path) => void,
): void {
  const position: (string | number)[] = []
  function step(key: string | number, child: unknown, depth: number): void {
    position.push(key)
    visitAt(child, depth)
    position.pop()
  }
  function visitAt(value: unknown, depth: number): void {
    if (Array.isArray(value)) {
      const next = path[depth] === '@' ? depth + 1 : depth
      for (const [index, item] of value.entries()) step(index, item, next)
    } else if (isObject(value)) {
      const key = String(path[depth])
      if (depth === path.length) visit(value, position)
      else step(key, getOwn(value, key), depth + 1)
    }
  }
  visitAt(value, 0)
}
