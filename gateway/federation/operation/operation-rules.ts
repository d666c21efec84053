import type {
  DocumentNode,
  ExecutionResult,
  GraphQLError,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Json } from '../executor/own.ts'
import type { CostTable } from '../supergraph/cost-table.ts'

/** Rules for operations of clients. An error that is thrown is worded for them: it has `extensions.code`. */
export interface OperationRules {
  /** @throws for a text that must not be parsed */
  checkText(text: string): void
  /** @throws for a document that must not be validated */
  checkDocument(document: DocumentNode): void
  /** @returns the check of the variables of each run, which counts it for its caller */
  compileCheck(
    operation: ValidOperation,
  ): (variables: Json, caller: Caller) => GraphQLError | undefined
  /** @returns what is called with the data of each response; undefined where nothing is measured */
  compileMeasure?(operation: ValidOperation): ((data: Json | null | undefined) => void) | undefined
  /** True if faults of variables may name parts of the schema. */
  showsSchema: boolean
  /** A fault of a document or of variables, as clients may read it. */
  reworded(error: GraphQLError): GraphQLError
}

/** An operation of a document that was validated against the schema. */
export interface ValidOperation {
  schema: GraphQLSchema
  document: DocumentNode
  operation: OperationDefinitionNode
  /** Weights and sizes by `@cost` and `@listSize`; undefined without them. */
  costs?: CostTable | undefined
}

export type OperationKind = 'query' | 'mutation' | 'subscription'

/** Counts and traces operations. */
export interface OperationObserver {
  /** Surrounds what `prepared` reports. */
  preparing<Result>(prepare: () => Promise<Result>): Promise<Result>
  /** An operation was parsed, validated, planned and compiled. */
  prepared(seconds: number): void
  /** An operation was prepared already. */
  reused(): void
  /** @returns what counts the runs of one operation */
  of(name: string | undefined, kind: OperationKind): RunObserver
}

export interface RunObserver {
  /** Surrounds a run. */
  running<Result>(caller: Caller, run: () => Promise<Result>): Promise<Result>
  /** Surrounds the fetches of its plan. */
  planned<Result>(run: () => Promise<Result>): Promise<Result>
  /** @param result undefined where the run failed */
  ran(result: ExecutionResult | undefined, seconds: number): void
  /** A client subscribed. @returns to be called when it gets no more */
  subscribed(): () => void
}

export const UNOBSERVED: OperationObserver = {
  preparing: (prepare) => prepare(),
  prepared() {},
  reused() {},
  of: () => ({
    running: (_, run) => run(),
    planned: (run) => run(),
    ran() {},
    subscribed: () => () => {},
  }),
}
