import { exactJson } from '../json/exact-number.ts'
import { compileMappingPath } from './mapping-path.ts'

/** `$` of paths is the body, `@` the item of it that becomes an event. */
export interface Scope {
  body: unknown
  item: unknown
}

/** The first value that its texts yield; undefined for none. */
export type Lookup = (scope: Scope) => unknown

const PATH = /^[$@](?:[.[]|$)/
const PLACEHOLDER = /\{\{\s*(.*?)\s*\}\}/

/** @param texts paths, or texts with paths within `{{ }}` @throws Error that names the fault */
export function compileLookup(texts: readonly string[]): Lookup {
  const parts = texts.map(compileText)
  return (scope) => {
    for (const part of parts) {
      const value = part(scope)
      if (value != null && value !== '') return value
    }
    return undefined
  }
}

function compileText(given: string): Lookup {
  const text = given.trim()
  if (PATH.test(text)) return compilePath(text)
  const pieces = text.split(PLACEHOLDER)
  if (pieces.length === 1) return () => text
  // Odd ones are what stood in the braces.
  const parts = pieces.map((piece, at) => (at % 2 === 0 ? piece : compileInner(piece)))
  return (scope) => {
    const values = parts.map((part) => (typeof part === 'string' ? part : part(scope)))
    const isAny = parts.some((part, at) => typeof part !== 'string' && values[at] != null)
    return isAny ? values.map(printed).join('') : undefined
  }
}

function compileInner(path: string): Lookup {
  if (PATH.test(path)) return compilePath(path)
  throw new Error(`{{${path}}}: expected a path that begins with $ (the body) or @ (the item)`)
}

function compilePath(path: string): Lookup {
  const select = compileMappingPath(`$${path.slice(1)}`)
  const of = path.startsWith('$') ? 'body' : 'item'
  return (scope) => {
    const found = select(scope[of])
    return found.length > 1 ? found : (found[0] ?? undefined)
  }
}

const printed = (value: unknown): string =>
  value == null ? '' : typeof value === 'string' ? value : exactJson(value)
