import type { IncomingMessage } from 'node:http'
import type { ExecutionResult } from 'graphql'

/** What the bridge is given: who calls, and how to run its operations. */
export interface BridgeDeps<Caller> {
  /** Origins whose pages may call from a browser; `*` stands for all. */
  corsOrigins: readonly string[]
  /** How clients sign in, as `WWW-Authenticate` says it. */
  challenge: string
  /**
   * Asked before anything of a request is read.
   * @throws AppError where the caller may not run one of the operations in `routes`, whatever its variables
   */
  admit(operation: string, caller: Caller): void
  /** Runs one of the operations in `routes` on behalf of a caller. */
  execute(
    operation: string,
    variables: Record<string, unknown>,
    caller: Caller,
  ): Promise<ExecutionResult>
  /** Who sends a request. */
  callerOf(request: IncomingMessage): Caller & { requestId: string; user?: string | null }
  /** Equal for callers whom subgraphs must answer alike. */
  callerKey(caller: Caller): string
  /** Where a request comes from. */
  addressOf(request: IncomingMessage): string
  /** What YAML says. It can take long, so nothing else may wait for it. @throws AppError BAD_USER_INPUT, OVERLOADED */
  readYaml(text: string): Promise<unknown>
  /** Told of every failure that is a fault of the product, with its request id. */
  onInternalError(error: unknown, requestId: string): void
}
