import type { IResolvers } from '@graphql-tools/utils'
import type { Json } from '../../../gateway/federation/executor/own.ts'

/** One small supergraph: its subgraphs over plain data, and operations with their answers. */
export interface Suite {
  name: string
  subgraphs: Readonly<Record<string, Subgraph>>
  operations: readonly Operation[]
  /** Why Apollo cannot be compared with on random operations of this suite. */
  notRandom?: string
}

export interface Subgraph {
  /** Without the `@link` of federation, which every subgraph gets. */
  sdl: string
  resolvers: IResolvers
}

export interface Operation {
  /** The behaviour, as a sentence. */
  rule: string
  query: string
  variables?: Json
  data: unknown
  errors?: readonly ExpectedError[]
  /** Fault of Apollo's gateway here; without it, both must agree. */
  apolloFault?: string
}

export interface ExpectedError {
  path?: readonly (string | number)[]
  code: string
}

/** Marks the text of a document for editors. */
export const gql = String.raw
