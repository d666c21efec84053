import { type DocumentNode, GraphQLError, getOperationAST, parse } from 'graphql'
import type { OwnTurns } from '../../../platform/load/load.ts'
import { type Authorization, guardedOperation } from '../access/guarded-operation.ts'
import { operationAccess } from '../access/operation-access.ts'
import { deferredFragments } from '../defer/deferred-fragments.ts'
import { FederationError, isCoded } from '../errors.ts'
import { faultsOf, withCode } from '../operation/document-faults.ts'
import { isTooNested, TOO_NESTED } from '../operation/lexical-limits.ts'
import type { NamedOperation } from '../operation/named-operation.ts'
import { prepareOperation } from '../operation/operation.ts'
import type { OperationDeps } from '../operation/operation-parts.ts'
import type { PreparedOperation } from '../operation/prepared-operation.ts'
import type { Planner } from '../planning/planner.ts'

/** An operation, or why there is none. */
export type Prepared = PreparedOperation | readonly GraphQLError[]

/** Plans valid operations, here or elsewhere. */
export interface Plans {
  /** @throws errors with a code for what clients may read */
  plan(
    ...operation: [...Parameters<Planner['plan']>, owner?: string]
  ): ReturnType<Planner['plan']> | Promise<ReturnType<Planner['plan']>>
  stop(): Promise<void>
}

/** Dependencies of all operations of one supergraph. */
export type SharedDeps = OperationDeps & Required<Pick<OperationDeps, 'observer' | 'running'>>

export interface PreparationOptions {
  turns: Pick<OwnTurns, 'begin'>
  authorization: Authorization
}

/** Longer documents have a turn for each of these steps. */
const ONE_TURN_CHARACTERS = 4 * 1024

/** Parses, checks, validates, plans and compiles operations of one supergraph. */
export class Preparation {
  constructor(
    private readonly planner: Pick<Planner, 'schema' | 'access' | 'costs'>,
    private readonly plans: Plans,
    readonly deps: SharedDeps,
    private readonly options: PreparationOptions,
  ) {}

  async prepare(named: NamedOperation, owner?: string): Promise<Prepared> {
    const { text, rules } = named
    const { turns } = this.options
    const ownTurn = () => text.length > ONE_TURN_CHARACTERS && turns.begin(owner)
    await turns.begin(owner)
    try {
      await ownTurn()
      const given = parsed(named)
      await ownTurn()
      const errors = faultsOf(this.planner.schema, given, mayDefer(named))
      if (errors.length > 0) return rules ? errors.map(rules.reworded) : errors
      return await this.#compile(named, given, ownTurn, owner)
    } catch (error) {
      return [explain(error)]
    }
  }

  async #compile(
    named: NamedOperation,
    given: DocumentNode,
    ownTurn: () => unknown,
    owner?: string,
  ): Promise<PreparedOperation> {
    const { operationName } = named
    const { schema, access, costs } = this.planner
    const deferred = mayDefer(named) ? deferredFragments(given) : undefined
    const document = deferred?.document ?? given
    const operation = getOperationAST(document, operationName)
    if (!operation)
      throw new FederationError(
        'OPERATION_RESOLUTION_FAILURE',
        'operationName: it must name one operation of the document',
      )
    await ownTurn()
    const plan = (left: DocumentNode) => this.#plan(left, named, owner)
    const parts = { ...this.deps, named, schema, document, operation, costs, plan, deferred }
    const whole = await prepareOperation(parts)
    const required = access && operationAccess(access, parts)
    if (!required) return whole
    return guardedOperation(whole, required, this.options.authorization, (permitted) =>
      prepareOperation({ ...parts, named: { ...named, denied: permitted.key }, permitted }),
    )
  }

  /** The planner throws on some operations that are valid: a fault of the product, reported to clients without detail. */
  async #plan(
    document: DocumentNode,
    { operationName, overrides }: NamedOperation,
    owner?: string,
  ): Promise<ReturnType<Planner['plan']>> {
    try {
      return await this.plans.plan(document, operationName, overrides, owner)
    } catch (error) {
      if (isCoded(error)) throw error
      this.deps.log.error({ err: error }, 'An operation could not be planned')
      throw new FederationError('INTERNAL_SERVER_ERROR', 'This operation cannot be planned')
    }
  }

  stop(): Promise<void> {
    return this.plans.stop()
  }
}

const mayDefer = ({ text }: NamedOperation): boolean => text.includes('defer')

/** Parses a document that may be parsed. @throws errors for clients */
function parsed({ text, rules }: NamedOperation): DocumentNode {
  if (rules) rules.checkText(text)
  else if (isTooNested(text)) throw new FederationError('BAD_USER_INPUT', TOO_NESTED)
  const document = parse(text)
  rules?.checkDocument(document)
  return document
}

/** Why an operation cannot be prepared. @throws errors whose cause is not the document */
function explain(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return withCode(error, 'GRAPHQL_PARSE_FAILED')
  if (isCoded(error)) {
    const { message, extensions } = error
    return new GraphQLError(message, { originalError: error, extensions: { ...extensions } })
  }
  if (error instanceof RangeError)
    return new GraphQLError(TOO_NESTED, { extensions: { code: 'BAD_USER_INPUT' } })
  throw error
}
