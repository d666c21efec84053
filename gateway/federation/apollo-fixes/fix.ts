import type { DocumentNode, GraphQLSchema } from 'graphql'
import type { PlanRoot } from '../planning/map-fetches.ts'
import { override, type Undo } from './override.ts'

/** Corrects one defect of Apollo's planner. */
export interface ApolloFix {
  /** Overrides methods of the planner's classes, for this process. */
  patch?(): Undo
  correct?(supergraph: DocumentNode): Correction
}

/** A fix that overrides one method. @param make gets the method as it was */
export const overriding = <Class extends object, Name extends keyof Class>(
  prototype: () => Class,
  name: Name,
  make: (before: Class[Name]) => Class[Name],
): ApolloFix => ({ patch: () => override(prototype(), name, make) })

/** Correction for one supergraph. */
export interface Correction {
  /** The supergraph as the planner gets it. */
  supergraph?: DocumentNode
  /** Makes a plan right. @throws for one that cannot be */
  corrected?(plan: PlanRoot, planned: PlannedSupergraph): PlanRoot
}

/** The supergraph that plans are made for. */
export interface PlannedSupergraph {
  schema(): GraphQLSchema
  /** The name that `@join__graph` has for a subgraph. */
  graphOf(service: string): string | undefined
}
