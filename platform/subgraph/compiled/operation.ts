import { collectFields } from '@graphql-tools/utils'
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  GraphQLScalarType,
  type GraphQLSchema,
  getVariableValues,
  isScalarType,
  type OperationDefinitionNode,
  print,
} from 'graphql'
import { AppError } from '../../../formats/errors.ts'
import { conditionVariables, fragmentsOf } from '../../../formats/graphql/documents.ts'
import { MAX_RESPONSE, responseTooLarge } from '../../../formats/graphql/response-size.ts'
import { noteCharacters } from '../../../formats/json/json.ts'
import { variableFault } from '../../../formats/variable-fault.ts'
import {
  type CompiledSelection,
  count,
  filled,
  isPromise,
  type Program,
  type Run,
  report,
  runFields,
  TOO_LARGE,
} from './field.ts'
import { compileSelection } from './selection.ts'

type Variables = Record<string, unknown>

export interface CompiledOperation {
  /** Never rejects. Without faults of the variables it has `data`. */
  run(
    variables: Variables,
    context: unknown,
    root?: unknown,
  ): ExecutionResult | Promise<ExecutionResult>
}

/** Specialized to what conditions say; beyond, programs are made for one run. */
const MAX_PROGRAMS = 4

/**
 * Executes an operation as graphql-js does, error for error except for the words about input, out of closures that were
 * made once: which fields of which types there are, what resolves and what completes them. Paths are objects only where
 * fields or resolvers need them. Arguments and variables are coerced by graphql-js, where they need it. What the response
 * will have is counted while it is made: its texts are in memory once, and may stand in it any number of times. With
 * graphql-js in its place the gateway takes 2.16 and 4.45 times the processor time in process, for 5 and 50 entities
 * (docs/adr/0084).
 * @param maxResponse characters; beyond it the only error is OPERATION_LIMIT_EXCEEDED
 */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  maxResponse = MAX_RESPONSE,
): CompiledOperation {
  const fragments = fragmentsOf(document)
  const coerce = compileVariables(schema, operation)
  const conditions = conditionVariables(document)
  const programs = new Map<string, (run: Run) => unknown>()

  function programFor(variables: Variables): (run: Run) => unknown {
    const key = conditions.map((name) => String(variables[name])).join()
    const known = programs.get(key)
    if (known) return known
    // The other variables of this run must not stay in memory.
    const conditional = Object.fromEntries(conditions.map((name) => [name, variables[name]]))
    const program = compileProgram({
      ...{ schema, fragments, operation },
      variables: { coerced: conditional, sources: {} },
    })
    if (programs.size < MAX_PROGRAMS) programs.set(key, program)
    return program
  }

  return {
    run(given, context, root) {
      const { errors, coerced } = coerce(given)
      if (errors) return { errors: errors.map(inputError) }
      const run: Run = {
        context,
        root,
        variables: coerced,
        errors: [],
        failed: new Set(),
        characters: 0,
        maxCharacters: maxResponse,
      }
      const refused = (error: unknown) => {
        if (error !== TOO_LARGE) report(run, error as GraphQLError, undefined)
        return resultOf(run, null)
      }
      try {
        const data = programFor(coerced)(run)
        return isPromise(data)
          ? data.then((value) => resultOf(run, value), refused)
          : resultOf(run, data)
      } catch (error) {
        return refused(error)
      }
    },
  }
}

/** Turns graphql-js's error about input into ours. Gateways do not check it all: to them, custom scalars take any value. */
export const inputError = ({ message, nodes, path }: GraphQLError): GraphQLError =>
  new GraphQLError(variableFault(message), { nodes, path, extensions: { code: 'BAD_USER_INPUT' } })

/** Parser of scalars that declare none. */
const IDENTITY = new GraphQLScalarType({ name: 'Any' }).parseValue

type Coerced = ReturnType<typeof getVariableValues>

/** Representations are what a gateway made, and may be anything: nothing of them is coerced but their list. */
function compileVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): (given: Variables) => Coerced {
  const coerceAny = (given: Variables) =>
    getVariableValues(schema, variableDefinitions, given, { maxErrors: 50 })
  const [definition, ...others] = variableDefinitions
  const isList = definition && print(definition.type) === '[_Any!]!'
  const any = schema.getType('_Any')
  if (!isList || others.length > 0 || !isScalarType(any) || any.parseValue !== IDENTITY)
    return coerceAny
  const name = definition.variable.name.value
  return (given) => {
    const list = Object.hasOwn(given, name) ? given[name] : undefined
    const isGiven = Array.isArray(list) && !list.includes(null) && !list.includes(undefined)
    return isGiven ? { coerced: { [name]: list } } : coerceAny(given)
  }
}

function tooLarge(maxResponse: number): GraphQLError {
  const originalError = new AppError(...responseTooLarge(maxResponse))
  return new GraphQLError(originalError.message, { originalError })
}

function resultOf({ errors, characters, maxCharacters }: Run, data: unknown): ExecutionResult {
  if (characters > maxCharacters) return { errors: [tooLarge(maxCharacters)], data: null }
  noteCharacters(data, characters)
  return (errors.length > 0 ? { errors, data } : { data }) as ExecutionResult
}

function compileProgram(program: Program): (run: Run) => unknown {
  const { schema, fragments, operation, variables } = program
  const rootType = schema.getRootType(operation.operation)
  if (!rootType)
    throw new GraphQLError(
      `Schema is not configured to execute ${operation.operation} operation.`,
      { nodes: operation },
    )
  const { fields: collected } = collectFields(
    schema,
    fragments,
    variables,
    rootType,
    operation.selectionSet,
  )
  if (operation.operation === 'mutation') {
    const serial = [...collected].map(([key, nodes]): [string, CompiledSelection] => [
      key,
      compileSelection(program, rootType, new Map([[key, nodes]])),
    ])
    return (run) => runSerially(serial, run)
  }
  const selection = compileSelection(program, rootType, collected)
  return (run) => runFields(selection, run, run.root, undefined)
}

/** One field after the other, as mutations do. The keys of all count before the first one runs. */
function runSerially(fields: readonly [string, CompiledSelection][], run: Run): unknown {
  count(
    run,
    fields.reduce((sum, [, { characters }]) => sum + characters, 0),
  )
  const results: Record<string, unknown> = Object.create(null)
  let done: Promise<unknown> | undefined
  for (const [key, field] of fields) {
    const runField = () => {
      const made = filled(field, run, run.root, undefined)
      if (isPromise(made))
        return made.then((resolved) => {
          results[key] = resolved[key]
        })
      results[key] = made[key]
      return undefined
    }
    done = done ? done.then(runField) : runField()
  }
  return done ? done.then(() => results) : results
}
