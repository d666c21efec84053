import type { GraphQLError } from 'graphql'
import type { Json } from '../executor/own.ts'
import type { Path } from '../executor/response-path.ts'
import type { DeliveredPart } from './parts.ts'

/** Errors of a run that no part of its response holds yet. */
export class ErrorsByPlace {
  /** Errors that were looked at. */
  #seen = 0
  #left: GraphQLError[] = []

  /** @param begun errors that stood there before anything was fetched @returns those of the first part */
  ofFirst(errors: readonly GraphQLError[], data: Json | null, begun: number): GraphQLError[] {
    const taken: GraphQLError[] = []
    for (const [index, error] of this.#new(errors).entries()) {
      const isHere = index < begun || !error.path || leadsInto(data, error.path)
      ;(isHere ? taken : this.#left).push(error)
    }
    return taken
  }

  /** Gives each error to the part that it is in. @param isLast true to leave none */
  handOut(errors: readonly GraphQLError[], parts: readonly DeliveredPart[], isLast: boolean): void {
    const byPath = new Map<string, DeliveredPart[]>()
    for (const one of parts) {
      const key = keyOf(one.part.path)
      byPath.set(key, [...(byPath.get(key) ?? []), one])
    }
    const candidates = [...this.#left, ...this.#new(errors)]
    this.#left = []
    for (const error of candidates) {
      const part = partOf(error, byPath) ?? (isLast || !error.path ? parts.at(-1) : undefined)
      if (part) part.errors.push(error)
      else this.#left.push(error)
    }
  }

  #new(errors: readonly GraphQLError[]): readonly GraphQLError[] {
    const fresh = errors.slice(this.#seen)
    this.#seen = errors.length
    return fresh
  }
}

const keyOf = (path: Path): string => JSON.stringify(path)

/** The innermost part that holds the place of an error. */
function partOf(
  { path }: GraphQLError,
  byPath: ReadonlyMap<string, DeliveredPart[]>,
): DeliveredPart | undefined {
  if (!path) return undefined
  for (let depth = path.length; depth >= 0; depth--) {
    const found = byPath
      .get(keyOf(path.slice(0, depth)))
      ?.find(({ data }) => leadsInto(data, path.slice(depth)))
    if (found) return found
  }
  return undefined
}

/** True if data hold the place of an error, or a null in place of something above it. */
function leadsInto(data: unknown, path: Path): boolean {
  let at = data
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return true
    if (!Object.hasOwn(at, step)) return false
    at = (at as Record<string | number, unknown>)[step]
  }
  return true
}
