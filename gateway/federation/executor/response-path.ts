import type { FetchNode, ResponsePath } from '@apollo/query-planner'
import { knownKeyOf } from '../planning/response-key.ts'
import { getOwn, isObject, type Json } from './own.ts'

/** Keys and list positions, from the root of the response. */
export type Path = readonly (string | number)[]

/** The objects that a plan's path leads to; `@` steps into a list. @param found is added to */
export function objectsAt(root: unknown, path: ResponsePath, found: Json[] = []): Json[] {
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

/** Where the objects of a fetch stand in the response. Only errors need to know, so they alone look it up. */
export function pathsOf(root: Json, path: ResponsePath): Path[] {
  const paths: Path[] = []
  eachAt(root, path, (_, position) => paths.push(position.map(knownStep)))
  return paths
}

/** Made one by one: an error may stand in more places than the response has room for. */
export function* pathsBelow(above: Iterable<Path>, rest: Path): Iterable<Path> {
  for (const path of above) yield [...path, ...rest]
}

/** The part of a plan's path that all objects of a fetch have in common: what lies above the first list. */
export const commonPathOf = (path: ResponsePath): Path => {
  const list = path.indexOf('@')
  return (list < 0 ? path : path.slice(0, list)).map(knownStep)
}

/** Turns the path in a subgraph's error into the client's terms: the plan renames keys in what subgraphs answer. */
export function pathTranslator({ outputRewrites = [] }: FetchNode): (path: Path) => Path {
  const names = new Map<string, string>()
  for (const rewrite of outputRewrites) {
    const last = rewrite.path.at(-1)
    if (rewrite.kind === 'KeyRenamer' && last !== undefined) names.set(last, rewrite.renameKeyTo)
  }
  return (path) => path.map((step) => knownStep(names.get(String(step)) ?? step))
}

export const knownStep = (step: string | number): string | number =>
  typeof step === 'string' ? knownKeyOf(step) : step
