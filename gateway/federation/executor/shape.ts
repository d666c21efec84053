import {
  type GraphQLCompositeType,
  type GraphQLError,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { isIncluded } from './conditions.ts'
import { compileOrder } from './field-order.ts'
import { leafShaper } from './leaf.ts'
import { getOwn, isObject, type Json, setOwn } from './own.ts'
import type { SelectedField, Selection } from './selection.ts'
import {
  fault,
  invalid,
  type Shaper,
  type Shaping,
  type ValueName,
  valueName,
} from './value-faults.ts'

/** Marks a value that must not be null and is: the nearest nullable parent becomes null. */
const BUBBLES = Symbol('bubbles')

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

  object(type: GraphQLObjectType | GraphQLInterfaceType, selection: Selection): Shaper {
    const fields = [...selection.fieldsOf(type)].map(([key, field]) => ({
      key,
      ...field,
      shape: field.name.startsWith('__')
        ? metaShaper(type, field)
        : this.#type(field.type, field.selection, valueName(type.name, field.name)),
    }))
    const inOrder = compileOrder(fields)
    return (source, shaping) => {
      const result: Json = {}
      for (const { key, gatheredKey, conditions, shape } of inOrder(shaping.variables)) {
        if (!isIncluded(conditions, shaping.variables)) continue
        shaping.path.push(key)
        const value = shape(getOwn(source as Json, gatheredKey), shaping)
        shaping.path.pop()
        if (value === BUBBLES) return BUBBLES
        setOwn(result, key, value)
      }
      return result
    }
  }

  #type(type: GraphQLOutputType, selection: Selection, name: ValueName): Shaper {
    if (isNonNullType(type)) return this.#nonNull(type.ofType, selection, name)
    if (isListType(type)) return this.#list(type.ofType, selection, name)
    return isCompositeType(type) ? this.#composite(type, selection, name) : leafShaper(type, name)
  }

  #nonNull(type: GraphQLOutputType, selection: Selection, name: ValueName): Shaper {
    const inner = this.#type(type, selection, name)
    return (value, shaping) => {
      const before = shaping.errors.length
      const shaped = inner(value, shaping)
      if (shaped !== null) return shaped
      if (shaping.errors.length === before)
        fault(shaping, `Cannot return null for non-nullable ${name(shaping.path, type)}.`)
      return BUBBLES
    }
  }

  #list(itemType: GraphQLOutputType, selection: Selection, name: ValueName): Shaper {
    const item = this.#type(itemType, selection, name)
    return (value, shaping) => {
      if (value == null) return null
      if (!Array.isArray(value)) return invalid(shaping, name(shaping.path, itemType))
      const items: unknown[] = []
      let bubbles = false
      for (let index = 0; index < value.length; index++) {
        shaping.path.push(index)
        const shaped = item(value[index], shaping)
        shaping.path.pop()
        if (shaped === BUBBLES) bubbles = true
        items.push(shaped)
      }
      return bubbles ? null : items
    }
  }

  #composite(type: GraphQLCompositeType, selection: Selection, name: ValueName): Shaper {
    const byType = new Map<string, Shaper | null>()
    const shaperOf = (name: string): Shaper | null => {
      let shaper = byType.get(name)
      if (shaper === undefined) {
        const named = this.schema.getType(name)
        const isObjectOrInterface = isObjectType(named) || isInterfaceType(named)
        const fits =
          isObjectOrInterface &&
          (named === type || (isAbstractType(type) && this.schema.isSubType(type, named)))
        shaper = fits ? this.object(named, selection) : null
        // Names that the schema lacks are not kept: a subgraph could answer any number of them.
        if (named) byType.set(name, shaper)
      }
      return shaper
    }
    return (value, shaping) => {
      if (value == null) return null
      if (!isObject(value)) return invalid(shaping, name(shaping.path, type))
      const named = getOwn(value, '__typename')
      const shaped = shaperOf(typeof named === 'string' ? named : type.name)?.(value, shaping)
      if (shaped === undefined)
        return invalid(shaping, name(shaping.path, type), 'Invalid __typename found for object at')
      return shaped === BUBBLES ? null : shaped
    }
  }
}

/**
 * `__typename` is known from the type, unless an interface object's real type could not be found out; what `__schema`
 * and `__type` hold was made by introspection.
 */
function metaShaper(type: GraphQLObjectType | GraphQLInterfaceType, field: SelectedField): Shaper {
  if (field.name !== '__typename') return (value) => value ?? null
  if (isObjectType(type)) return () => type.name
  return (_value, shaping) => {
    fault(shaping, `The type of this ${type.name} is not known.`)
    return BUBBLES
  }
}
