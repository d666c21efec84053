import type { FetchNode, ResponsePath } from '@apollo/query-planner'
import { knownKeyOf } from '../planning/response-key.ts'
import type { Json } from './own.ts'
import { eachAt, type Path } from './response-path.ts'

/** Where the objects of a fetch stand in the response. Only errors need to know, so they alone look it up. */
export function pathsOf(
  root: Json,
  path: ResponsePath,
  isMeant: (object: Json) => boolean,
): Path[] {
  const paths: Path[] = []
  eachAt(root, path, (object, position) => {
    if (isMeant(object)) paths.push(position.map(known))
  })
  return paths
}

/** The part of a plan's path that all objects of a fetch have in common: what lies above the first list. */
export const commonPathOf = (path: ResponsePath): Path => {
  const list = path.indexOf('@')
  return (list < 0 ? path : path.slice(0, list)).map(known)
}

/** Turns the path in a subgraph's error into the client's terms: the plan renames keys in what subgraphs answer. */
export function pathTranslator({ outputRewrites = [] }: FetchNode): (path: Path) => Path {
  const names = new Map<string, string>()
  for (const rewrite of outputRewrites) {
    const last = rewrite.path.at(-1)
    if (rewrite.kind === 'KeyRenamer' && last !== undefined) names.set(last, rewrite.renameKeyTo)
  }
  return (path) => path.map((step) => known(names.get(String(step)) ?? step))
}

const known = (step: string | number): string | number =>
  typeof step === 'string' ? knownKeyOf(step) : step
