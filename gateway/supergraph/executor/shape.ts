import {
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { getOwn, isObject, type Json, setOwn } from './own.ts'
import { included, type SelectedField, type Selection } from './selection.ts'

/** Marks a value that must not be null and is: the nearest nullable parent becomes null. */
const BUBBLES = Symbol('bubbles')

interface Shaping {
  variables: Json
  errors: GraphQLError[]
  path: (string | number)[]
}

type Shaper = (value: unknown, shaping: Shaping) => unknown

export interface Shaped {
  data: Json | null
  /** Values that do not fit the schema; each was replaced by null. */
  errors: GraphQLError[]
}

/**
 * Compiles how gathered data becomes the response: only what was asked for, in the order asked for, with nulls
 * propagated to the nearest nullable parent (GraphQL specification, section 6.4.4).
 */
export function compileShape(
  schema: GraphQLSchema,
  rootType: GraphQLObjectType,
  selection: Selection,
): (data: Json, variables: Json) => Shaped {
  const shapeRoot = new Compiler(schema).object(rootType, selection)
  return (data, variables) => {
    const shaping: Shaping = { variables, errors: [], path: [] }
    const shaped = shapeRoot(data, shaping)
    return { data: isObject(shaped) ? shaped : null, errors: shaping.errors }
  }
}

class Compiler {
  constructor(private readonly schema: GraphQLSchema) {}

  object(type: GraphQLObjectType, selection: Selection): Shaper {
    const fields = [...selection.fieldsOf(type)].map(([key, field]) => ({
      key,
      field,
      shape: field.name.startsWith('__') ? metaShaper(type, field) : this.#field(type, field),
    }))
    return (source, shaping) => {
      const result: Json = Object.create(null)
      for (const { key, field, shape } of fields) {
        if (!included(field.conditions, shaping.variables)) continue
        shaping.path.push(key)
        const value = shape(getOwn(source as Json, key), shaping)
        shaping.path.pop()
        if (value === BUBBLES) return BUBBLES
        setOwn(result, key, value)
      }
      return result
    }
  }

  #field(parent: GraphQLObjectType, field: SelectedField): Shaper {
    const place = (path: Shaping['path'], type: GraphQLOutputType) =>
      typeof path.at(-1) === 'number'
        ? `array element of type ${type} at index ${path.at(-1)}`
        : `field ${parent.name}.${field.name}`
    return this.#type(field.type, field.selection, place)
  }

  #type(
    type: GraphQLOutputType,
    selection: Selection,
    place: (path: Shaping['path'], type: GraphQLOutputType) => string,
  ): Shaper {
    if (isNonNullType(type)) {
      const inner = this.#type(type.ofType, selection, place)
      return (value, shaping) => {
        const before = shaping.errors.length
        const shaped = inner(value, shaping)
        if (shaped !== null) return shaped
        if (shaping.errors.length === before)
          fault(shaping, `Cannot return null for non-nullable ${place(shaping.path, type.ofType)}.`)
        return BUBBLES
      }
    }
    if (isListType(type)) {
      const item = this.#type(type.ofType, selection, place)
      return (value, shaping) => {
        if (value == null) return null
        if (!Array.isArray(value)) return invalid(shaping, place(shaping.path, type))
        const items: unknown[] = []
        let bubbles = false
        for (const [index, element] of value.entries()) {
          shaping.path.push(index)
          const shaped = item(element, shaping)
          shaping.path.pop()
          if (shaped === BUBBLES) bubbles = true
          items.push(shaped)
        }
        return bubbles ? null : items
      }
    }
    return isCompositeType(type) ? this.#composite(type, selection, place) : leaf(type, place)
  }

  #composite(
    type: GraphQLCompositeType,
    selection: Selection,
    place: (path: Shaping['path'], type: GraphQLOutputType) => string,
  ): Shaper {
    const byType = new Map<string, Shaper | null>()
    const shaperOf = (name: string): Shaper | null => {
      let shaper = byType.get(name)
      if (shaper === undefined) {
        const concrete = this.schema.getType(name)
        const fits =
          isObjectType(concrete) &&
          (concrete === type || (isAbstractType(type) && this.schema.isSubType(type, concrete)))
        shaper = fits ? this.object(concrete, selection) : null
        byType.set(name, shaper)
      }
      return shaper
    }
    return (value, shaping) => {
      if (value == null) return null
      if (!isObject(value)) return invalid(shaping, place(shaping.path, type))
      const named = getOwn(value, '__typename')
      const shaper = shaperOf(typeof named === 'string' ? named : type.name)
      if (!shaper)
        return invalid(shaping, place(shaping.path, type), 'Invalid __typename found for object at')
      const shaped = shaper(value, shaping)
      return shaped === BUBBLES ? null : shaped
    }
  }
}

/** `__typename` is known from the type; what `__schema` and `__type` hold was made by introspection. */
const metaShaper = (type: GraphQLObjectType, { name }: SelectedField): Shaper =>
  name === '__typename' ? () => type.name : (value) => value ?? null

const leaf =
  (
    type: GraphQLLeafType,
    place: (path: Shaping['path'], type: GraphQLOutputType) => string,
  ): Shaper =>
  (value, shaping) => {
    if (value == null) return null
    return isValidLeaf(type, value) ? value : invalid(shaping, place(shaping.path, type))
  }

const LEAVES: Readonly<Record<string, (value: unknown) => boolean>> = {
  Int: (value) => Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** 31,
  Float: (value) => typeof value === 'number',
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  ID: (value) => typeof value === 'string' || Number.isInteger(value),
}

const isValidLeaf = (type: GraphQLLeafType, value: unknown): boolean =>
  isEnumType(type)
    ? typeof value === 'string' && type.getValue(value) !== undefined
    : (LEAVES[type.name]?.(value) ?? true)

function invalid(shaping: Shaping, place: string, what = 'Invalid value found for'): null {
  fault(shaping, `${what} ${place}.`)
  return null
}

function fault({ errors, path }: Shaping, message: string): void {
  errors.push(
    new GraphQLError(message, { path: [...path], extensions: { code: 'INVALID_GRAPHQL' } }),
  )
}
