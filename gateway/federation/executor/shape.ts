import {
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLInterfaceType,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  OperationTypeNode,
} from 'graphql'
import { isDeeperThan } from '../../../formats/json/json.ts'
import { addError } from '../errors.ts'
import {
  BUBBLES,
  compileObject,
  type Field,
  type PendingPart,
  type Shaper,
  type Shaping,
  withLaterFields,
} from './object-shape.ts'
import { getOwn, isNumberObject, isObject, type Json } from './own.ts'
import type { PlanRun } from './plan-run.ts'
import type { SelectedField, Selection } from './selection.ts'
import type { IsExplained } from './unexplained.ts'

/** A run whose data become a response; faults become its errors. */
export type ShapedRun = Pick<PlanRun, 'data' | 'variables' | 'errors' | 'room'>

/**
 * Compiles how gathered data becomes the response: only what was asked for, in the order asked for, with nulls
 * propagated to the nearest nullable parent (GraphQL specification, section 6.4.4). What was gathered as it was asked for
 * becomes part of the response as it is, and nothing is written to it: most objects and lists need no copy.
 * @param hidden fields that are null whatever was gathered: the caller may not have them
 */
export function compileShape(
  schema: GraphQLSchema,
  rootType: GraphQLObjectType,
  selection: Selection,
  hidden?: ReadonlySet<FieldNode>,
): (run: ShapedRun, isExplained: IsExplained, pending?: PendingPart[]) => Json | null {
  const shape = new Compiler(schema, hidden).object(rootType, selection)
  return (run, isExplained, pending) =>
    shapedPart({ path: [], gathered: run.data, shape }, run, isExplained, pending)
}

/** Makes a part of a response. @param pending receives what is delivered after it @returns null where a null bubbles */
export function shapedPart(
  { path, gathered, shape }: Omit<PendingPart, 'id'>,
  run: Omit<ShapedRun, 'data'>,
  isExplained: IsExplained,
  pending?: PendingPart[],
): Json | null {
  const { variables, errors, room } = run
  const shaping: Shaping = {
    variables,
    errors,
    room,
    isExplained,
    faults: 0,
    path: [...path],
    pending,
  }
  const shaped = shape(gathered, shaping)
  run.room = shaping.room
  return isObject(shaped) ? shaped : null
}

class Compiler {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly hidden: ReadonlySet<FieldNode> | undefined,
  ) {}

  object(type: GraphQLObjectType | GraphQLInterfaceType, selection: Selection): Shaper {
    const { fields: selected, later } = selection.partsOf(type)
    const fields = [...selected].map(([key, field]): Field => {
      const { hidden } = this
      if (hidden && field.nodes.every((node) => hidden.has(node)))
        return { ...field, key, fits: null, shape: hiddenShaper(field.type) }
      const isMeta = field.name.startsWith('__')
      return {
        ...field,
        key,
        fits: isMeta ? null : leafCheck(field.type),
        shape: isMeta
          ? metaShaper(type, field)
          : this.#type(field.type, field.selection, valueName(type.name, field.name)),
      }
    })
    const shape = compileObject(fields)
    if (later.length === 0) return shape
    const parts = later.map((part) => ({ ...part, shape: this.object(type, part.selection) }))
    return withLaterFields(shape, parts)
  }

  #type(type: GraphQLOutputType, selection: Selection, name: ValueName): Shaper {
    if (isNonNullType(type)) return this.#nonNull(type.ofType, selection, name)
    if (isListType(type)) return this.#list(type.ofType, selection, name)
    return isCompositeType(type) ? this.#composite(type, selection, name) : leafShaper(type, name)
  }

  #nonNull(type: GraphQLOutputType, selection: Selection, name: ValueName): Shaper {
    const inner = this.#type(type, selection, name)
    return (value, shaping) => {
      const before = shaping.faults
      const shaped = inner(value, shaping)
      if (shaped !== null) return shaped
      if (shaping.faults === before)
        fault(shaping, `Cannot return null for non-nullable ${name(shaping.path, type)}.`)
      return BUBBLES
    }
  }

  #list(itemType: GraphQLOutputType, selection: Selection, name: ValueName): Shaper {
    const item = this.#type(itemType, selection, name)
    return (value, shaping) => {
      if (value == null) return null
      if (!Array.isArray(value)) return invalid(shaping, name(shaping.path, itemType))
      let items: unknown[] = value
      let bubbles = false
      for (let index = 0; index < value.length; index++) {
        shaping.path.push(index)
        const shaped = item(value[index], shaping)
        shaping.path.pop()
        if (shaped === BUBBLES) bubbles = true
        if (shaped === value[index]) continue
        // A list that grows by its first item instead is given room for seventeen.
        if (items === value) items = value.slice()
        items[index] = shaped
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
    // The names of its root types are a subgraph's own.
    const isRoot = ROOTS.some((kind) => this.schema.getRootType(kind) === type)
    return (value, shaping) => {
      if (value == null) return null
      if (!isObject(value)) return invalid(shaping, name(shaping.path, type))
      const named = isRoot ? type.name : getOwn(value, '__typename')
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

/** Null without a word: the errors of the operation say why. */
const hiddenShaper = (type: GraphQLOutputType): Shaper =>
  isNonNullType(type)
    ? (_value, shaping) => {
        shaping.faults++
        return BUBBLES
      }
    : () => null

/** Passes a value that fits its type, and null in place of any other; any that is not too deep fits a custom scalar. */
function leafShaper(type: GraphQLLeafType, name: ValueName): Shaper {
  const fits = checkOf(type)
  return (value, shaping) => {
    if (value == null) return null
    return fits(value) ? value : invalid(shaping, name(shaping.path, type))
  }
}

/** Compiles whether a value of a scalar or an enum may stay as it is. @returns null for other types */
function leafCheck(type: GraphQLOutputType): Field['fits'] {
  const mayBeNull = !isNonNullType(type)
  const leaf = mayBeNull ? type : type.ofType
  if (!isLeafType(leaf)) return null
  const fits = checkOf(leaf)
  return (value) => (value === null ? mayBeNull : value !== undefined && fits(value))
}

function checkOf(type: GraphQLLeafType): (value: unknown) => boolean {
  if (isEnumType(type)) {
    const names = new Set(type.getValues().map(({ name }) => name))
    return (value) => typeof value === 'string' && names.has(value)
  }
  return (Object.hasOwn(LEAVES, type.name) && LEAVES[type.name]) || isFlatEnough
}

/** Levels of a value of a custom scalar: what writes responses as text overflows its stack at some thousands. */
const MAX_VALUE_DEPTH = 1_000

const isFlatEnough = (value: unknown): boolean => !isDeeperThan(MAX_VALUE_DEPTH, value)

const ROOTS = Object.values(OperationTypeNode)

const INT = 2 ** 31

const LEAVES: Readonly<Record<string, (value: unknown) => boolean>> = {
  Int: (value) => Number.isInteger(value) && Number(value) >= -INT && Number(value) < INT,
  Float: (value) => typeof value === 'number' || isExact(value),
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  ID: (value) => typeof value === 'string' || Number.isInteger(value) || isExactWhole(value),
}

const isExactWhole = (value: unknown): boolean => isExact(value) && /^-?\d+$/.test(String(value))

const isExact = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && isNumberObject(value)

/** Names a value in the message of a fault. */
type ValueName = (path: Shaping['path'], type: GraphQLOutputType) => string

const valueName =
  (typeName: string, fieldName: string): ValueName =>
  (path, type) =>
    typeof path.at(-1) === 'number'
      ? `array element of type ${type} at index ${path.at(-1)}`
      : `field ${typeName}.${fieldName}`

/** Notes that a value does not fit; null takes its place. */
function invalid(shaping: Shaping, name: string, what = 'Invalid value found for'): null {
  fault(shaping, `${what} ${name}.`)
  return null
}

function fault(shaping: Shaping, message: string): void {
  shaping.faults++
  if (shaping.room >= 0 && !shaping.isExplained(shaping.path))
    addError(shaping, message, shaping.path, { code: 'DOWNSTREAM_SERVICE_ERROR' })
}
