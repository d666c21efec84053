import type { FetchNode, ResponsePath } from '@apollo/query-planner'
import { knownKeyOf } from '../planning/response-key.ts'
import { getOwn, isObject, type Json } from './own.ts'

/** Keys and list positions, from the root of the response. */
export type Path = readonly (string | number)[]

/** Keys, `@` for the items of a list, and the types that an object at this place has one of, else it is not meant. */
export type PlanPath = readonly (string | ReadonlySet<string>)[]

/** Reads a path of a plan, such as `search`, `@|[Article,Movie]`, `parts`. No types between the brackets mean any. */
export const readPath = (path: ResponsePath): PlanPath =>
  path.flatMap((step) => {
    const [key = '', types] = String(step).split(/\|\[|\]$/)
    return [...(key ? [key] : []), ...(types ? [new Set(types.split(','))] : [])]
  })

const isMeant = (object: Json, types: ReadonlySet<string>): boolean => {
  const name = getOwn(object, '__typename')
  return typeof name !== 'string' || types.has(name)
}

/** The objects that a plan's path leads to. @param found is added to */
export function objectsAt(root: unknown, path: PlanPath, found: Json[] = []): Json[] {
  collect(root, path, 0, found)
  return found
}

function collect(value: unknown, path: PlanPath, depth: number, found: Json[]): void {
  const step = path[depth]
  if (Array.isArray(value)) {
    const next = step === '@' ? depth + 1 : depth
    for (const item of value) collect(item, path, next, found)
  } else if (isObject(value)) {
    if (step === undefined) found.push(value)
    else if (typeof step === 'string') collect(getOwn(value, step), path, depth + 1, found)
    else if (isMeant(value, step)) collect(value, path, depth + 1, found)
  }
}

/** Visits the same objects in the same order, with the position of each; the visitor must copy what it keeps. */
export function eachAt(
  value: unknown,
  path: PlanPath,
  visit: (object: Json, position: Path) => void,
): void {
  const position: (string | number)[] = []
  function step(key: string | number, child: unknown, depth: number): void {
    position.push(key)
    visitAt(child, depth)
    position.pop()
  }
  function visitAt(value: unknown, depth: number): void {
    const at = path[depth]
    if (Array.isArray(value)) {
      const next = at === '@' ? depth + 1 : depth
      for (const [index, item] of value.entries()) step(index, item, next)
    } else if (isObject(value)) {
      if (at === undefined) visit(value, position)
      else if (typeof at === 'string') step(at, getOwn(value, at), depth + 1)
      else if (isMeant(value, at)) visitAt(value, depth + 1)
    }
  }
  visitAt(value, 0)
}

/** Paths of the objects of a fetch in the response. Only errors need to know, so they alone look it up. */
export function pathsOf(root: Json, path: PlanPath): Path[] {
  const paths: Path[] = []
  eachAt(root, path, (_, position) => paths.push(position.map(knownStep)))
  return paths
}

/** Made one by one: an error may stand in more places than the response has room for. */
export function* pathsBelow(above: Iterable<Path>, rest: Path): Iterable<Path> {
  for (const path of above) yield [...path, ...rest]
}

/** The part of a plan's path that all objects of a fetch have in common: what lies above the first list. */
export const commonPathOf = (path: PlanPath): Path => {
  const list = path.indexOf('@')
  const above = list < 0 ? path : path.slice(0, list)
  return above.filter((step) => typeof step === 'string').map(knownStep)
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
