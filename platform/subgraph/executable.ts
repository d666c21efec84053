import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLResolveInfo,
  getOperationAST,
  Kind,
  parse,
  type SelectionSetNode,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../formats/errors.ts'
import { DOCUMENT_RULES } from '../../formats/graphql/document-rules.ts'
import { compileEventKey, MadeOnce } from '../../formats/graphql/event-key.ts'
import { asDoubles } from '../../formats/json/json.ts'
import { type Caller, type Context, contextKey } from '../access/caller.ts'
import { mapStream } from '../async/map-stream.ts'
import type { OperationCount, OperationCounts } from '../metrics/process-metrics.ts'
import type { Logger } from '../process/logger.ts'
import { asOperation, inSpan } from '../tracing/trace.ts'
import { type CompiledOperation, compileOperation, inputError } from './compiled/operation.ts'
import { requireDoubles } from './double-literals.ts'
import { maskError } from './mask-errors.ts'
import type { Subgraph } from './subgraph.ts'

/** One operation for a subgraph. */
export interface SubgraphRequest {
  document: string
  variables: Record<string, unknown>
  /** Name of one of several operations in the document. */
  operationName?: string | undefined
}

/** Runs operations of one subgraph. Errors stand in the result, masked where they are faults of the product. */
export interface Executable {
  /** @throws AppError BAD_USER_INPUT unless the text is a valid operation of the schema */
  documentOf(text: string): DocumentNode
  execute(request: SubgraphRequest, context: Context): Promise<ExecutionResult>
  /** A subscription that is refused yields its errors as the only result. */
  subscribe(
    request: SubgraphRequest,
    context: Context,
  ): Promise<AsyncIterableIterator<ExecutionResult>>
}

/** Parts of a subgraph that are served. */
export type ServedSchema = Pick<Subgraph, 'schema' | 'takesExactNumbers'>

export interface ExecutableOptions {
  /** Name of the subgraph, for traces and metrics. */
  name?: string | undefined
  /** Absent where nothing is counted. */
  counts?: OperationCounts
  /** Characters. OPERATION_MAX_RESPONSE */
  maxResponse?: number | undefined
}

/** Documents come from query plans, which the gateway bounds; this is a bound of its own all the same. */
const MAX_DOCUMENTS = 2_000
/** Maximum of all documents together: a field of ten characters, parsed and compiled, takes some kilobytes. */
const MAX_CHARACTERS = 500_000

/** A document that was validated, what runs its operations, and what counts the runs. */
interface Known {
  document: DocumentNode
  operations: Map<string | undefined, CompiledOperation>
  count: OperationCount | undefined
}

/** Documents of a schema, each parsed, validated and compiled once. */
class KnownDocuments {
  private readonly documents = new LRUCache<string, Known>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_known, { length }) => length,
  })

  constructor(
    private readonly served: ServedSchema,
    private readonly countOf: (document: DocumentNode) => OperationCount | undefined,
    private readonly maxResponse: number | undefined,
  ) {}

  /** @throws AppError BAD_USER_INPUT */
  of(text: string): Known {
    const before = this.documents.get(text)
    if (before) return before
    const document = parsed(text)
    const [error] = validate(this.served.schema, document, DOCUMENT_RULES)
    if (error) throw invalid(error)
    if (!this.served.takesExactNumbers) requireDoubles(document)
    const known = { document, operations: new Map(), count: this.countOf(document) }
    this.documents.set(text, known)
    return known
  }

  /** @param name of one of several operations @throws AppError BAD_USER_INPUT */
  operationOf({ document, operations }: Known, name: string | undefined): CompiledOperation {
    const before = operations.get(name)
    if (before) return before
    const operation = getOperationAST(document, name)
    if (!operation) throw new AppError('BAD_USER_INPUT', UNCLEAR_OPERATION)
    const compiled = compileOperation(this.served.schema, document, operation, this.maxResponse)
    operations.set(name, compiled)
    return compiled
  }
}

/** Masks errors and logs them: of probes, which come every second, the first that fails. */
class Masking {
  private readonly silent: Logger
  private isDown = false

  constructor(private readonly log: Logger) {
    this.silent = log.child({}, { level: 'silent' })
  }

  masked(result: ExecutionResult, { caller }: Context): ExecutionResult {
    const to = this.logFor(caller, result)
    const { errors } = result
    return errors
      ? { ...result, errors: errors.map((error) => maskError(error, caller.requestId, to)) }
      : result
  }

  private logFor({ isProbe }: Caller, { errors }: ExecutionResult): Logger {
    const isKnown = isProbe && this.isDown
    if (isProbe) this.isDown = errors !== undefined
    return isKnown ? this.silent : this.log
  }
}

/**
 * A schema that parses and validates a document once, never per call. The same in one process and in several.
 */
export const executable = (
  served: ServedSchema,
  log: Logger,
  options: ExecutableOptions = {},
): Executable => new ExecutableSchema(served, log, options)

/** Links take its functions, and leave it. */
class ExecutableSchema implements Executable {
  readonly #span: string
  readonly #documents: KnownDocuments
  readonly #answers = new MadeOnce<object, Promise<ExecutionResult>>()
  readonly #masking: Masking

  constructor(
    private readonly served: ServedSchema,
    private readonly log: Logger,
    { name = 'unnamed', counts, maxResponse }: ExecutableOptions,
  ) {
    this.#span = `subgraph ${name}`
    const countOf = (document: DocumentNode) => counts?.(name, document)
    this.#documents = new KnownDocuments(served, countOf, maxResponse)
    this.#masking = new Masking(log)
  }

  readonly documentOf = (text: string): DocumentNode => this.#documents.of(text).document

  readonly execute: Executable['execute'] = (request, context) => {
    const { caller } = context
    const began = performance.now()
    const run = () =>
      inSpan(this.#span, { kind: 'server' }, async (span) => {
        this.log.debug({ requestId: caller.requestId }, 'Operation')
        const known = this.#documents.of(request.document)
        const operation = this.#documents.operationOf(known, request.operationName)
        const result = await operation.run(this.#rounded(request.variables), context)
        known.count?.ran(result, (performance.now() - began) / 1_000)
        if (result.errors) span?.set({ 'assay.errors': result.errors.length })
        return this.#masking.masked(result, context)
      })
    return asOperation(run, caller)
  }

  readonly subscribe: Executable['subscribe'] = async (request, context) => {
    const { requestId } = context.caller
    this.log.debug({ requestId }, 'Subscription begins')
    const known = this.#documents.of(request.document)
    const { document } = known
    const variableValues = this.#rounded(request.variables)
    const { operationName } = request
    const events = await createSourceEventStream({
      ...{ schema: this.served.schema, document, operationName, variableValues },
      contextValue: context,
    })
    const logEnd = () => this.log.debug({ requestId }, 'Subscription ended')
    if (!(Symbol.asyncIterator in events))
      return refusal(this.#masking.masked(refused(events), context), logEnd)
    const countEnd = known.count?.subscribed()
    const ended = () => {
      countEnd?.()
      logEnd()
    }
    const operation = this.#documents.operationOf(known, operationName)
    const key = `${eventKeyOf(document, request.variables)}\n${contextKey(context)}`
    const answer = async (event: unknown) =>
      this.#masking.masked(await operation.run(variableValues, context, event), context)
    // Streams deliver an event as the same object to all whom it may be answered alike.
    return mapStream(
      events,
      (event) =>
        typeof event === 'object' && event !== null
          ? this.#answers.of(event, key, () => answer(event))
          : answer(event),
      ended,
    )
  }

  /** No copy is made where there is nothing to round. */
  #rounded(variables: SubgraphRequest['variables']): SubgraphRequest['variables'] {
    return this.served.takesExactNumbers ? variables : (asDoubles(variables) as typeof variables)
  }
}

const UNCLEAR_OPERATION =
  'The document has several operations, or none: operationName must say which one to run'

function parsed(text: string): DocumentNode {
  try {
    return parse(text, { noLocation: true })
  } catch (error) {
    if (error instanceof GraphQLError) throw invalid(error)
    throw error
  }
}

const invalid = (error: GraphQLError) =>
  new AppError('BAD_USER_INPUT', error.message, { cause: error })

/** Marks errors as faults of the input where graphql-js itself refuses a subscription. */
const refused = ({ errors = [] }: ExecutionResult): ExecutionResult => ({
  errors: errors.map((error) =>
    (error.originalError ?? error) instanceof GraphQLError && error.extensions.code === undefined
      ? inputError(error)
      : error,
  ),
})

async function* refusal(
  result: ExecutionResult,
  ended: () => void,
): AsyncGenerator<ExecutionResult> {
  yield result
  ended()
}

const eventKeys = new WeakMap<DocumentNode, ReturnType<typeof compileEventKey>>()

function eventKeyOf(document: DocumentNode, variables: SubgraphRequest['variables']): string {
  const operation = getOperationAST(document)
  if (!operation) throw new Error('A document of a plan has one operation')
  const keyOf = eventKeys.get(document) ?? compileEventKey(operation, document)
  eventKeys.set(document, keyOf)
  return keyOf(variables)
}

/** True if an operation selects one of some fields anywhere below a field, by their own names. */
export function selects(
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  names: ReadonlySet<string>,
): boolean {
  const seen = new Set<string>()
  const within = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some((node) => {
      if (node.kind === Kind.FIELD) return names.has(node.name.value) || within(node.selectionSet)
      if (node.kind === Kind.INLINE_FRAGMENT) return within(node.selectionSet)
      if (seen.has(node.name.value)) return false
      seen.add(node.name.value)
      return within(fragments[node.name.value]?.selectionSet)
    }) ?? false
  return fieldNodes.some(({ selectionSet }) => within(selectionSet))
}
