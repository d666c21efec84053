import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, visit } from 'graphql'
import { AppError } from '../../formats/errors.ts'
import { isDeeperThan } from '../../formats/json/json.ts'
import { type Caller, ownerOf } from '../../platform/access/caller.ts'
import {
  hasMoreTokens,
  isTooNested,
  measure,
  type OperationRules,
  type Prepared,
  type Supergraph,
  TOO_NESTED,
} from '../federation/index.ts'
import { compileActualCost } from './actual-cost.ts'
import { compileCost } from './cost.ts'
import { compileIntrospectionCheck } from './introspection-size.ts'
import { exceeded, LimitExceeded, type OperationLimits, requireWithin } from './operation-limits.ts'
import { type OperationRate, OperationRates, type RateSettings } from './operation-rates.ts'
import {
  type DocumentRules,
  type OperationRequest,
  persistedDocuments,
} from './persisted-documents.ts'
import { readTrustedDocuments, type TrustedDocuments } from './trusted-documents.ts'

/** The supergraph as clients may use it: the same rules over every transport. */
export interface ClientOperations extends Pick<Supergraph, 'fullStreams'> {
  /** The schema that clients see. */
  readonly schema: GraphQLSchema
  rules: ClientRules
  /** The documents of the operator's list. */
  readonly trusted: readonly string[]
  /** The document that a request means. @throws AppError with the fault */
  textOf(request: OperationRequest): string
  /** @throws AppError RATE_LIMITED; absent where no rate is set */
  requireRate?: ((caller: Caller) => Promise<void>) | undefined
  /** The operation that a request means, prepared once. */
  prepare(request: OperationRequest, caller: Caller): Promise<Prepared>
}

export interface ClientRules extends DocumentRules {
  limits: OperationLimits & RateSettings
  /** True if clients may ask for the schema. */
  introspection: boolean
  /** True if callers with the permission may see plans. */
  queryPlans?: boolean
  /** The manifest of the trusted documents. */
  trustedDocuments: string | undefined
  /** The documents of a manifest that is followed; else those of the file. */
  trusted?: TrustedDocuments | undefined
  /** Trusted besides them, without an id. */
  ownDocuments?: readonly string[]
}

/** Notes a cost where the supergraph has directives for it. */
type OnCost = (kind: 'estimated' | 'actual', cost: number) => void

type OnRefusal = (limit: LimitExceeded['limit'] | OperationRate) => void

/** Levels of objects and lists in variables. What reads them goes down level by level, and has no room for thousands. */
const MAX_VARIABLE_DEPTH = 1_000
const TOO_DEEP = new AppError(
  'BAD_USER_INPUT',
  `The variables are nested deeper than ${MAX_VARIABLE_DEPTH} levels`,
)

/** @throws ConfigError for a manifest that cannot be used */
export function createClientOperations(
  supergraph: Supergraph,
  rules: ClientRules,
  onRefusal: OnRefusal = () => {},
  onCost: OnCost = () => {},
): ClientOperations {
  const rates = OperationRates.of(rules.limits, onRefusal)
  const operationRules = operationRulesOf(rules, onRefusal, onCost, rates)
  const { trustedDocuments, ownDocuments = [] } = rules
  const trusted =
    rules.trusted ??
    (trustedDocuments ? readTrustedDocuments(trustedDocuments, ownDocuments) : null)
  const check = (text: string): void => {
    operationRules.checkText(text)
    const document = parsedDocument(text)
    if (document) operationRules.checkDocument(document)
  }
  const documentOf = persistedDocuments(rules, trusted, check)
  const count = (error: unknown): void => {
    if (error instanceof LimitExceeded) onRefusal(error.limit)
  }

  return {
    rules,
    get trusted() {
      return trusted?.texts ?? []
    },
    get schema() {
      return supergraph.schema
    },
    fullStreams: () => supergraph.fullStreams(),
    requireRate: rates && ((caller) => rates.require(caller)),
    textOf(request) {
      try {
        const text = documentOf(request)
        const { operationName } = request
        if (!supergraph.isPrepared({ text, operationName, rules: operationRules })) check(text)
        return text
      } catch (error) {
        count(error)
        throw error
      }
    },
    async prepare(request, caller) {
      try {
        if (rates) await rates.require(caller)
        const text = documentOf(request)
        const { operationName } = request
        const owner = ownerOf(caller)
        const prepared = await supergraph.prepare(text, operationName, operationRules, owner)
        if (!('run' in prepared)) count(prepared[0]?.originalError)
        return prepared
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        count(error)
        return [refusal(error)]
      }
    },
  }
}

function operationRulesOf(
  { limits, introspection }: ClientRules,
  onRefusal: OnRefusal,
  onCost: OnCost,
  rates: OperationRates | undefined,
): OperationRules {
  return {
    checkText(text) {
      if (isTooNested(text)) throw new LimitExceeded('nesting', TOO_NESTED)
      if (hasMoreTokens(text, limits.OPERATION_MAX_TOKENS))
        throw exceeded(
          `has more than ${limits.OPERATION_MAX_TOKENS} tokens`,
          'OPERATION_MAX_TOKENS',
          limits,
        )
    },
    checkDocument(document) {
      requireWithin(measure(document), limits)
      if (!introspection) refuseIntrospection(document)
    },
    compileMeasure({ schema, document, operation, costs }) {
      if (!costs) return undefined
      const costOf = compileActualCost(schema, document, operation, costs)
      return (data) => onCost('actual', costOf(data))
    },
    compileCheck({ schema, document, operation, costs }) {
      const costOf = compileCost(schema, document, operation, costs)
      const excessOf = compileIntrospectionCheck({ schema, document, operation })
      return (variables, caller) => {
        if (isDeeperThan(MAX_VARIABLE_DEPTH, variables)) return refusal(TOO_DEEP)
        const excess = excessOf(variables)
        if (excess) {
          onRefusal(excess.limit)
          return refusal(excess)
        }
        const cost = costOf(variables)
        if (costs) onCost('estimated', cost)
        if (cost > limits.OPERATION_MAX_COST) {
          onRefusal('OPERATION_MAX_COST')
          return refusal(exceeded(`may cost ${cost}`, 'OPERATION_MAX_COST', limits))
        }
        rates?.count(caller, cost)
        return undefined
      }
    },
    showsSchema: introspection,
    reworded: (error) => (introspection ? error : withoutSuggestion(error)),
  }
}

const refusal = ({ message, extensions }: AppError) =>
  new GraphQLError(message, { extensions: { ...extensions } })

/** @returns undefined for what has a syntax error */
function parsedDocument(text: string): DocumentNode | undefined {
  try {
    return parse(text, { noLocation: true })
  } catch (error) {
    if (error instanceof GraphQLError) return undefined
    throw error
  }
}

/** Suggestions reveal names of the schema. */
function withoutSuggestion(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/ Did you mean .*\?$/s, '')
  return message === error.message ? error : new GraphQLError(message, error)
}

/** @throws AppError FORBIDDEN */
function refuseIntrospection(document: DocumentNode): void {
  visit(document, {
    Field({ name }) {
      if (name.value === '__schema' || name.value === '__type')
        throw new AppError('FORBIDDEN', 'Introspection is disabled here (INTROSPECTION is off)')
    },
  })
}
