import type { ErrorList } from '../errors.ts'
import { firstIncluded, isIncluded } from './conditions.ts'
import { getOwn, type Json, setOwn } from './own.ts'
import type { DeferredSelection, SelectedField } from './selection.ts'
import type { IsExplained } from './unexplained.ts'

/** One making of a response. */
export interface Shaping extends ErrorList {
  variables: Json
  isExplained: IsExplained
  /** Faults that were met, explained ones included. */
  faults: number
  path: (string | number)[]
  /** Receives the fragments that are delivered later, as their objects are made. */
  pending?: PendingPart[] | undefined
}

/** A fragment of one object of a response that is delivered later. */
export interface PendingPart {
  /** As `deferIdOf` reads it. */
  id: string
  path: readonly (string | number)[]
  gathered: Json
  shape: Shaper
}

/** Makes one value of the response out of what was gathered for it. */
export type Shaper<Value = unknown> = (value: Value, shaping: Shaping) => unknown

/** Marks a value that must not be null and is: the nearest nullable parent becomes null. */
export const BUBBLES = Symbol('bubbles')

export interface Field extends SelectedField {
  key: string
  /** Test if the value of a leaf is passed as it is. */
  fits: ((value: unknown) => boolean) | null
  shape: Shaper
}

/** Compiles how an object is made: of what was gathered as it was asked for, only what needs another form is copied. */
export function compileObject(fields: readonly Field[]): Shaper {
  const isAsAsked = compileComparison(fields)
  const copy = compileCopy(fields)
  const notLeaves = fields.filter(({ fits }) => fits === null)
  return (source, shaping) => {
    const gathered = source as Json
    if (!isAsAsked(gathered)) return copy(gathered, shaping)
    let result = gathered
    for (const field of notLeaves) {
      const shaped = shapedField(field, gathered, shaping)
      if (shaped === BUBBLES) return BUBBLES
      if (shaped === getOwn(gathered, field.key)) continue
      if (result === gathered) result = { ...gathered }
      setOwn(result, field.key, shaped)
    }
    return result
  }
}

/** A fragment that is delivered later. */
export interface LaterFields extends Pick<DeferredSelection, 'id' | 'conditions'> {
  shape: Shaper
}

/** Compiles an object of which some fragments are delivered later. */
export const withLaterFields =
  (shape: Shaper, later: readonly LaterFields[]): Shaper =>
  (source, shaping) => {
    const shaped = shape(source, shaping)
    if (shaped !== BUBBLES)
      for (const { id, conditions, shape } of later)
        if (isIncluded(conditions, shaping.variables))
          shaping.pending?.push({ id, path: [...shaping.path], gathered: source as Json, shape })
    return shaped
  }

function shapedField(field: Field, gathered: Json, shaping: Shaping): unknown {
  const value = getOwn(gathered, field.gatheredKey)
  if (field.fits?.(value)) return value
  shaping.path.push(field.key)
  const shaped = field.shape(value, shaping)
  shaping.path.pop()
  return shaped
}

/** Compiles whether an object has the keys that are asked for and no others, in their order, and leaves that fit. */
function compileComparison(fields: readonly Field[]): (gathered: Json) => boolean {
  if (fields.some(({ key, gatheredKey, conditions }) => key !== gatheredKey || conditions))
    return () => false
  const keys = fields.map(({ key }) => key)
  const leaves = fields.filter(({ fits }) => fits !== null)
  return (gathered) => {
    let at = 0
    for (const key in gathered) if (key !== keys[at++]) return false
    return at === keys.length && leaves.every(({ key, fits }) => fits?.(gathered[key]))
  }
}

/** Compiles an object of its own for what was gathered otherwise than it was asked for. */
function compileCopy(fields: readonly Field[]): Shaper<Json> {
  const inOrder = compileOrder(fields)
  return (gathered, shaping) => {
    const result: Json = {}
    for (const field of inOrder?.(shaping.variables) ?? fields) {
      if (field.conditions && !isIncluded(field.conditions, shaping.variables)) continue
      const shaped = shapedField(field, gathered, shaping)
      if (shaped === BUBBLES) return BUBBLES
      setOwn(result, field.key, shaped)
    }
    return result
  }
}

/**
 * Compiles in which order the fields of an object come: by the first occurrence that counts. Which one that is can
 * depend on the variables only where a field occurs several times, first under a condition.
 * @returns undefined where they come as they are given
 */
function compileOrder(
  fields: readonly Field[],
): ((variables: Json) => readonly Field[]) | undefined {
  if (!fields.some(({ conditions, positions }) => conditions?.[0]?.length && positions.length > 1))
    return undefined
  return (variables) => {
    const placeOf = ({ conditions, positions }: Field) =>
      positions[firstIncluded(conditions, variables)] ?? 0
    return fields.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
