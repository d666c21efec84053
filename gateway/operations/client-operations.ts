import { type DocumentNode, GraphQLError, getOperationAST, parse, visit } from 'graphql'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../schema/errors.ts'
import { isDeeperThan } from '../../subgraphs/shared/nesting.ts'
import { conditionalStreams } from '../supergraph/conditional-streams.ts'
import type { Json } from '../supergraph/executor/own.ts'
import { hasMoreTokens, isTooNested, TOO_NESTED } from '../supergraph/nesting.ts'
import type { PreparedOperation } from '../supergraph/operation.ts'
import type { Prepared, Supergraph } from '../supergraph/supergraph.ts'
import { compileCost } from './cost.ts'
import { exceeded, LimitExceeded, type OperationLimits, requireWithin } from './limits.ts'
import { measure } from './measure.ts'
import {
  type DocumentRules,
  type OperationRequest,
  persistedDocuments,
} from './persisted-documents.ts'
import { readTrustedDocuments } from './trusted-documents.ts'

/** The supergraph as clients may use it: the same rules over every transport. */
export interface ClientOperations extends Supergraph {
  rules: ClientRules
  /** The document that a request means. @throws AppError that tells what is wrong with it */
  textOf(request: OperationRequest): string
  /** The same as `prepare`, for whatever way a request names its document. */
  prepareRequest(request: OperationRequest): Promise<Prepared>
}

export interface ClientRules extends DocumentRules {
  limits: OperationLimits
  /** Whether clients may ask for the schema. */
  introspection: boolean
  /** The manifest of the trusted documents. */
  trustedDocuments: string | undefined
}

/** Documents that were found to be within the limits, and characters of them that are remembered. */
const ADMITTED = { max: 1_000, maxSize: 8 * 1024 * 1024 }

/** Levels of objects and lists in variables. What reads them goes down level by level, and has no room for thousands. */
const MAX_VARIABLE_DEPTH = 1_000
const TOO_DEEP = new AppError(
  'BAD_USER_INPUT',
  `The variables are nested deeper than ${MAX_VARIABLE_DEPTH} levels`,
)

/** @throws ConfigError for a manifest that cannot be used */
export async function createClientOperations(
  supergraph: Supergraph,
  rules: ClientRules,
  onRefusal: (limit: LimitExceeded['limit']) => void = () => {},
): Promise<ClientOperations> {
  const { limits } = rules
  const admitted = new LRUCache<string, true>({
    ...ADMITTED,
    sizeCalculation: (_, { length }) => length,
  })
  const bounded = new WeakMap<PreparedOperation, PreparedOperation>()

  /** @throws AppError for a document over a limit or with a conditional stream; other faults of it are for whoever validates it */
  function admit(text: string): void {
    if (admitted.has(text)) return
    if (isTooNested(text)) throw new LimitExceeded('nesting', TOO_NESTED)
    if (hasMoreTokens(text, limits.OPERATION_MAX_TOKENS))
      throw exceeded(
        `has more than ${limits.OPERATION_MAX_TOKENS} tokens`,
        'OPERATION_MAX_TOKENS',
        limits,
      )
    const document = parsedDocument(text)
    if (!document) return
    requireWithin(measure(document), limits)
    const [conditional] = conditionalStreams(document)
    if (conditional) throw new AppError('GRAPHQL_VALIDATION_FAILED', conditional.message)
    if (!rules.introspection) refuseIntrospection(document)
    admitted.set(text, true)
  }

  /** The operation, which refuses variables that make it cost too much. */
  function withinCost(
    operation: PreparedOperation,
    text: string,
    operationName?: string | null,
  ): PreparedOperation {
    const known = bounded.get(operation)
    if (known) return known
    const document = parse(text, { noLocation: true })
    const definition = getOperationAST(document, operationName)
    if (!definition) return operation
    const costOf = compileCost(supergraph.schema, document, definition)
    const tooMuch = (variables: Json): GraphQLError | undefined => {
      if (isDeeperThan(MAX_VARIABLE_DEPTH, variables)) return refusal(TOO_DEEP)
      const cost = costOf(variables)
      if (cost <= limits.OPERATION_MAX_COST) return undefined
      onRefusal('OPERATION_MAX_COST')
      return refusal(exceeded(`may cost ${cost}`, 'OPERATION_MAX_COST', limits))
    }
    const fresh: PreparedOperation = {
      ...operation,
      async run(variables, context) {
        const error = tooMuch(variables)
        if (error) return { errors: [error] }
        const result = await operation.run(variables, context)
        // Those of variables stand alone; what a subgraph says is its own.
        return rules.introspection || !result.errors || result.data !== undefined
          ? result
          : { ...result, errors: result.errors.map(withoutSuggestion) }
      },
      async subscribe(variables, context) {
        const error = tooMuch(variables)
        return error ? { errors: [error] } : operation.subscribe(variables, context)
      },
    }
    bounded.set(operation, fresh)
    return fresh
  }

  const trusted = rules.trustedDocuments ? await readTrustedDocuments(rules.trustedDocuments) : null
  const documentOf = persistedDocuments(rules, trusted, admit)

  const textOf = (request: OperationRequest): string => {
    try {
      const text = documentOf(request)
      admit(text)
      return text
    } catch (error) {
      if (error instanceof LimitExceeded) onRefusal(error.limit)
      throw error
    }
  }

  const prepareRequest: ClientOperations['prepareRequest'] = async (request) => {
    try {
      const text = textOf(request)
      const made = await supergraph.prepare(text, request.operationName)
      if ('run' in made) return withinCost(made, text, request.operationName)
      const [error] = made
      if (error?.extensions.code === 'OPERATION_LIMIT_EXCEEDED')
        onRefusal(
          error.message.includes('OPERATION_MAX_PATHS')
            ? 'OPERATION_MAX_PATHS'
            : 'OPERATION_PLAN_MS',
        )
      return rules.introspection ? made : made.map(withoutSuggestion)
    } catch (error) {
      if (error instanceof AppError) return [refusal(error)]
      throw error
    }
  }

  return {
    rules,
    get schema() {
      return supergraph.schema
    },
    onReload: (listener) => supergraph.onReload(listener),
    textOf,
    prepareRequest,
    prepare: (query, operationName) => prepareRequest({ query, operationName }),
  }
}

const refusal = ({ message, code }: AppError) => new GraphQLError(message, { extensions: { code } })

/** @returns undefined for what has a syntax error */
function parsedDocument(text: string): DocumentNode | undefined {
  try {
    return parse(text, { noLocation: true })
  } catch (error) {
    if (error instanceof GraphQLError) return undefined
    throw error
  }
}

/** Suggestions tell names of the schema. */
function withoutSuggestion(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/ Did you mean .*\?$/s, '')
  return message === error.message ? error : new GraphQLError(message, error)
}

/** @throws AppError FORBIDDEN */
function refuseIntrospection(document: DocumentNode): void {
  visit(document, {
    Field({ name }) {
      if (name.value === '__schema' || name.value === '__type')
        throw new AppError('FORBIDDEN', 'The schema is not told here: INTROSPECTION is off')
    },
  })
}
