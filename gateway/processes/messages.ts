import type { SandboxCapabilities } from '../../subgraphs/test-execution/index.ts'
import type { Database } from '../database.ts'

/** Start of a process of the product. */
export interface Member {
  /** From 1. The first one alone runs executions. */
  number: number
  /** Made by the first process, once. */
  sandbox?: SandboxCapabilities | undefined
}

/** From the primary to a process, as its first message. */
export interface Start extends Member {
  type: 'assay:start'
  /** Absent for a gateway alone. */
  database: Omit<Database, 'stop'> | undefined
}

/** From a process that serves. */
export interface Ready {
  type: 'assay:ready'
  url: string
  sandbox: SandboxCapabilities | undefined
}

/** A process asks for the metrics of all, and the primary returns them; without text where that failed. */
export interface MetricsOfAll {
  type: 'assay:metrics'
  id: number
  text?: string
}

/** Other parts of the product and libraries send messages of their own on the same channel. */
export const isOf = <Message extends { type: string }>(
  type: Message['type'],
  message: unknown,
): message is Message =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === type
