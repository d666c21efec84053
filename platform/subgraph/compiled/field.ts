import { inspect, type VariableValues } from '@graphql-tools/utils'
import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLBoolean,
  type GraphQLError,
  type GraphQLField,
  GraphQLFloat,
  GraphQLInt,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isNonNullType,
  locatedError,
  type OperationDefinitionNode,
  type ResponsePath,
  responsePathAsArray,
} from 'graphql'
import { charactersIn } from '../../../formats/json/json.ts'

/** An operation with given values of the variables in its conditions. */
export interface Program {
  schema: GraphQLSchema
  fragments: Record<string, FragmentDefinitionNode>
  operation: OperationDefinitionNode
  /** Those of conditions alone are read. */
  variables: VariableValues
}

/** One run of an operation. */
export interface Run {
  context: unknown
  root: unknown
  variables: Record<string, unknown>
  errors: GraphQLError[]
  /** Places that are null for an error. Below them no further one is reported. */
  failed: Set<ResponsePath | undefined>
  /** Characters of the response, as far as it is made. */
  characters: number
  maxCharacters: number
}

/** Ends a run. */
export const TOO_LARGE = new Error('The response is too large')

/** Counts what becomes part of the response. @throws TOO_LARGE */
export function count(run: Run, characters: number): void {
  run.characters += characters
  if (run.characters > run.maxCharacters) throw TOO_LARGE
}

/** Handles an error at a place: null where that is allowed. @returns a function that throws it elsewhere, and TOO_LARGE */
export function compileFailure(nodes: readonly FieldNode[], type: GraphQLOutputType) {
  const isNonNull = isNonNullType(type)
  return (run: Run, raw: unknown, path: ResponsePath): null => {
    if (raw === TOO_LARGE) throw raw
    const error = locatedError(raw, nodes, responsePathAsArray(path))
    if (isNonNull) throw error
    report(run, error, path)
    return null
  }
}

/** Adds an error, unless a place above is null for one already. It counts, and the next value or the end is refused. */
export function report(run: Run, error: GraphQLError, path: ResponsePath | undefined): void {
  const { errors, failed } = run
  let place = path
  while (place && !failed.has(place)) place = place.prev
  if (place || failed.has(undefined)) return
  failed.add(path)
  errors.push(error)
  run.characters += charactersIn([error.message, error.path])
}

/** As graphql-js has it, with an answer for most values at once. */
export const isPromise = (value: unknown): value is Promise<unknown> =>
  value !== null &&
  (typeof value === 'object' || typeof value === 'function') &&
  typeof (value as { then?: unknown }).then === 'function'

/** A field as it is selected. */
export interface FieldPlace {
  type: GraphQLObjectType
  key: string
  nodes: readonly FieldNode[]
  definition: GraphQLField<unknown, unknown>
}

/** GraphQLResolveInfo of the field that a place of the response belongs to. */
export function infoAt(
  { schema, fragments, operation }: Program,
  { type, nodes, definition }: FieldPlace,
  { root, variables }: Run,
  at: ResponsePath | undefined,
): GraphQLResolveInfo {
  let path = at
  while (typeof path?.key === 'number') path = path.prev
  return {
    fieldName: definition.name,
    fieldNodes: nodes,
    returnType: definition.type,
    parentType: type,
    path: path as ResponsePath,
    schema,
    fragments,
    rootValue: root,
    operation,
    variableValues: variables,
  }
}

/** One field of a selection, of a known type. */
export interface CompiledField {
  key: string
  /** Property that it reads of its object, unless a resolver has to be called. */
  property?: string
  /** @param value of the property */
  run(run: Run, source: unknown, parent: ResponsePath | undefined, value?: unknown): unknown
  /** Handles a property that cannot be read. */
  fail(run: Run, raw: unknown, parent: ResponsePath | undefined): null
}

/** The fields of a selection for a type, and what makes objects of one hidden class for them. */
export interface CompiledSelection {
  fields: readonly CompiledField[]
  /** Characters of each object, without the texts in it. */
  characters: number
  Result: new () => Record<string, unknown>
}

export function runFields(
  selection: CompiledSelection,
  run: Run,
  source: unknown,
  path: ResponsePath | undefined,
): unknown {
  count(run, selection.characters)
  return filled(selection, run, source, path)
}

/** An object whose keys are counted. */
export function filled(
  { fields, Result }: CompiledSelection,
  run: Run,
  source: unknown,
  path: ResponsePath | undefined,
): Record<string, unknown> | Promise<Record<string, unknown>> {
  const results = new Result()
  let isAsync: boolean
  try {
    isAsync = fill(fields, run, source, results, path)
  } catch (error) {
    if (!Object.values(results).some(isPromise)) throw error
    // Promises of the other fields may fail, too.
    return awaited(results).finally(() => {
      throw error
    })
  }
  return isAsync ? awaited(results) : results
}

const awaited = (results: Record<string, unknown>): Promise<Record<string, unknown>> =>
  Promise.all(Object.values(results)).then((values) => {
    Object.keys(results).forEach((key, index) => {
      results[key] = values[index]
    })
    return results
  })

/**
 * Gives the object of a response its fields.
 * @returns whether some of them are still promises @throws what an error makes of a field that may not be null; TOO_LARGE
 */
function fill(
  fields: readonly CompiledField[],
  run: Run,
  source: unknown,
  results: Record<string, unknown>,
  path: ResponsePath | undefined,
): boolean {
  const own = isObjectLike(source) ? source : NOTHING
  let isAsync = false
  for (const { key, property, run: runField, fail } of fields) {
    let value: unknown
    try {
      value = runField(run, source, path, property === undefined ? undefined : own[property])
    } catch (raw) {
      value = fail(run, raw, path)
    }
    if (isPromise(value)) isAsync = true
    results[key] = value
  }
  return isAsync
}

/** True for values with properties, as in graphql-js. */
const isObjectLike = (source: unknown): source is Record<string, unknown> =>
  (typeof source === 'object' && source !== null) || typeof source === 'function'

const NOTHING: Record<string, unknown> = Object.freeze(Object.create(null))

/**
 * Compiles how a value of a scalar or an enum is served, and counts the characters of texts: the selection has counted
 * the others.
 * @throws what the type makes of a value that is none of its own; TOO_LARGE
 */
export function compileLeaf(type: GraphQLLeafType): (run: Run, value: unknown) => unknown {
  if (COUNTED.has(type)) return (_run, value) => serialized(type, value)
  return (run, value) => {
    const served = serialized(type, value)
    count(run, typeof served === 'string' ? served.length : charactersIn(served))
    return served
  }
}

/** Types without texts. */
const COUNTED: ReadonlySet<GraphQLLeafType> = new Set([GraphQLBoolean, GraphQLInt, GraphQLFloat])

function serialized(type: GraphQLLeafType, value: unknown): unknown {
  const text = type.serialize(value)
  if (text === null || text === undefined)
    throw new Error(
      `Expected \`${inspect(type)}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${inspect(text)}`,
    )
  return text
}
