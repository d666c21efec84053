import { collectSubFields, inspect } from '@graphql-tools/utils'
import {
  defaultFieldResolver,
  defaultTypeResolver,
  type FieldNode,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type ResponsePath,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql'
import { OF_MARKS, OF_OTHERS } from '../../../formats/json/json.ts'
import { compileArguments } from './arguments.ts'
import { Entities } from './entities.ts'
import {
  type CompiledField,
  type CompiledSelection,
  compileFailure,
  compileLeaf,
  count,
  type FieldPlace,
  infoAt,
  isPromise,
  type Program,
  type Run,
  runFields,
} from './field.ts'

/** Makes of what a resolver returned what the response says. @throws where that is null, and may not be */
type Complete = (run: Run, value: unknown, path: ResponsePath | undefined) => unknown

/** Validation has found that each stands where it may. */
const META_FIELDS = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef].map((field) => [field.name, field]),
)

/** @param collected nodes by the key of the response */
export function compileSelection(
  program: Program,
  type: GraphQLObjectType,
  collected: ReadonlyMap<string, readonly FieldNode[]>,
): CompiledSelection {
  const fields = [...collected].flatMap(([key, nodes]) => {
    const [first] = nodes
    const name = first?.name.value ?? ''
    const definition = META_FIELDS.get(name) ?? type.getFields()[name]
    return definition ? [compileField(program, { type, key, nodes, definition })] : []
  })
  // Without a prototype no key means anything; a function makes them of one hidden class, unlike `Object.create`.
  function Result() {}
  Result.prototype = Object.create(null)
  const characters = fields.reduce((sum, { key }) => sum + key.length + OF_MARKS + OF_OTHERS, 0)
  return {
    fields,
    characters,
    Result: Result as unknown as CompiledSelection['Result'],
  }
}

function compileField(program: Program, place: FieldPlace): CompiledField {
  const { type, key, nodes, definition } = place
  const { name, args, resolve = defaultFieldResolver, type: returned } = definition
  const [node] = nodes as [FieldNode]
  const argumentsOf = compileArguments(definition, node)
  const complete = compileValue(program, place, returned)
  const fail = compileFailure(nodes, returned)
  const pathOf = (prev: ResponsePath | undefined): ResponsePath => ({
    prev,
    key,
    typename: type.name,
  })

  // Closures stand apart: a function with closures in it allocates their context whenever it is called.
  const caught = (run: Run, completed: Promise<unknown>, path: ResponsePath): Promise<unknown> =>
    completed.then(undefined, (raw) => fail(run, raw, path))
  const later = (run: Run, value: Promise<unknown>, path: ResponsePath): Promise<unknown> =>
    caught(
      run,
      value.then((resolved) => complete(run, resolved, path)),
      path,
    )

  function runResolver(run: Run, source: unknown, parent: ResponsePath | undefined): unknown {
    const path = pathOf(parent)
    try {
      const info = infoAt(program, place, run, path)
      const value = resolve(source, argumentsOf(run.variables), run.context, info)
      if (isPromise(value)) return later(run, value, path)
      const completed = complete(run, value, path)
      return isPromise(completed) ? caught(run, completed, path) : completed
    } catch (raw) {
      return fail(run, raw, path)
    }
  }
  const field = {
    key,
    run: runResolver,
    fail: (run: Run, raw: unknown, parent: ResponsePath | undefined) =>
      fail(run, raw, pathOf(parent)),
  }
  if (args.length > 0 || resolve !== defaultFieldResolver) return field

  /** A property is read without arguments, info and path, unless it is a function. */
  const isLeaf = isLeafType(getNullableType(returned))
  return {
    ...field,
    property: name,
    run(run, source, parent, value) {
      if (typeof value === 'function') return runResolver(run, source, parent)
      const path = isLeaf ? undefined : pathOf(parent)
      try {
        if (isPromise(value)) return later(run, value, path ?? pathOf(parent))
        const completed = complete(run, value, path)
        return isPromise(completed) ? caught(run, completed, path ?? pathOf(parent)) : completed
      } catch (raw) {
        return fail(run, raw, path ?? pathOf(parent))
      }
    },
  }
}

function compileValue(program: Program, place: FieldPlace, type: GraphQLOutputType): Complete {
  const { type: parent, definition } = place
  const name = `${parent.name}.${definition.name}`
  if (isNonNullType(type)) {
    const complete = compileValue(program, place, type.ofType)
    return (run, value, path) => {
      const completed = complete(run, value, path)
      if (completed === null) throw new Error(`Cannot return null for non-nullable field ${name}.`)
      return completed
    }
  }
  const complete = compileNullable(program, place, type)
  return (run, value, path) => {
    if (value instanceof Error) throw value
    return value === null || value === undefined ? null : complete(run, value, path)
  }
}

function compileNullable(program: Program, place: FieldPlace, type: GraphQLOutputType): Complete {
  if (isListType(type)) return compileList(program, place, type.ofType)
  if (isLeafType(type)) return compileLeaf(type)
  if (isObjectType(type)) return compileObject(program, place, type)
  return compileAbstract(program, place, type as GraphQLAbstractType)
}

type CompleteItem = (
  run: Run,
  item: unknown,
  prev: ResponsePath | undefined,
  key: number,
  complete: Complete,
) => unknown

function compileItem({ nodes }: FieldPlace, itemType: GraphQLOutputType): CompleteItem {
  const isLeaf = isLeafType(getNullableType(itemType))
  const fail = compileFailure(nodes, itemType)

  const pathOf = (prev: ResponsePath | undefined, key: number): ResponsePath => ({
    prev,
    key,
    typename: undefined,
  })
  const caught = (run: Run, completed: Promise<unknown>, path: ResponsePath): Promise<unknown> =>
    completed.then(undefined, (raw) => fail(run, raw, path))
  const later = (
    run: Run,
    item: Promise<unknown>,
    path: ResponsePath,
    complete: Complete,
  ): Promise<unknown> =>
    caught(
      run,
      item.then((resolved) => complete(run, resolved, path)),
      path,
    )

  return (run, item, prev, key, complete) => {
    const path = isLeaf ? undefined : pathOf(prev, key)
    try {
      if (isPromise(item)) return later(run, item, path ?? pathOf(prev, key), complete)
      const completed = complete(run, item, path)
      return isPromise(completed) ? caught(run, completed, path ?? pathOf(prev, key)) : completed
    } catch (raw) {
      return fail(run, raw, path ?? pathOf(prev, key))
    }
  }
}

function compileList(program: Program, place: FieldPlace, itemType: GraphQLOutputType): Complete {
  const completeAny = compileValue(program, place, itemType)
  const completeItem = compileItem(place, itemType)
  let completeEntity: ReturnType<typeof compileEntities> | undefined
  const isLeaf = isLeafType(getNullableType(itemType))

  return (run, given, path) => {
    const typeNames = given instanceof Entities ? given.typeNames : undefined
    const value = given instanceof Entities ? given.items : given
    if (typeof value !== 'object' || value === null || !(Symbol.iterator in value))
      throw new GraphQLError(
        `Expected Iterable, but did not find one for field "${place.type.name}.${place.definition.name}".`,
      )
    if (typeNames) completeEntity ??= compileEntities(program, place)
    // The items of a copied array are replaced: a list that grows by its first item is given room for seventeen.
    const items: Iterable<unknown> = Array.isArray(value)
      ? [...value]
      : (value as Iterable<unknown>)
    const completed: unknown[] = Array.isArray(items) ? items : []
    let index = 0
    let isAsync = false
    if (isLeaf && Array.isArray(items)) count(run, items.length * OF_MARKS)
    try {
      for (const item of items) {
        const complete = (typeNames && completeEntity?.(typeNames[index] ?? '')) ?? completeAny
        const made = completeItem(run, item, path, index, complete)
        if (isPromise(made)) isAsync = true
        completed[index++] = made
      }
    } catch (error) {
      void Promise.allSettled(completed) // the list is null, whatever they become
      throw error
    }
    return isAsync ? Promise.all(completed) : completed
  }
}

/** Completes entities by the names of their types; `withEntities` has found that these are entities. */
function compileEntities(program: Program, place: FieldPlace) {
  const byName = new Map<string, Complete>()
  return (name: string): Complete | undefined => {
    const known = byName.get(name)
    const type = known ? undefined : program.schema.getType(name)
    if (!isObjectType(type)) return known
    const complete = compileValue(program, place, type)
    byName.set(name, complete)
    return complete
  }
}

function compileObject(program: Program, place: FieldPlace, type: GraphQLObjectType): Complete {
  const { schema, fragments, variables } = program
  let selection: CompiledSelection | undefined
  /** Made by the first object: a selection may be deep, and types may not occur. */
  const selectionOf = (): CompiledSelection => {
    selection ??= compileSelection(
      program,
      type,
      collectSubFields(schema, fragments, variables, type, [...place.nodes]).fields,
    )
    return selection
  }
  const { isTypeOf } = type
  if (!isTypeOf) return (run, value, path) => runFields(selectionOf(), run, value, path)
  return (run, value, path) => {
    const fields = selectionOf()
    const judged = (isOne: boolean) => {
      if (isOne) return runFields(fields, run, value, path)
      throw new GraphQLError(`Expected value of type "${type.name}" but got: ${inspect(value)}.`, {
        nodes: place.nodes,
      })
    }
    const verdict = isTypeOf(value, run.context, infoAt(program, place, run, path))
    return isPromise(verdict) ? verdict.then(judged) : judged(verdict)
  }
}

function compileAbstract(program: Program, place: FieldPlace, type: GraphQLAbstractType): Complete {
  const { schema } = program
  const resolveType = type.resolveType ?? defaultTypeResolver
  const completes = new Map(
    schema.getPossibleTypes(type).map((each) => [each.name, compileObject(program, place, each)]),
  )
  return (run, value, path) => {
    const known = (name: unknown) => {
      const complete = typeof name === 'string' ? completes.get(name) : undefined
      if (complete) return complete(run, value, path)
      throw new GraphQLError(
        `Abstract type "${type.name}" must resolve to one of its object types at runtime for field "${place.type.name}.${place.definition.name}", not to ${inspect(name)}.`,
        { nodes: place.nodes },
      )
    }
    const name = resolveType(value, run.context, infoAt(program, place, run, path), type)
    return isPromise(name) ? name.then(known) : known(name)
  }
}
