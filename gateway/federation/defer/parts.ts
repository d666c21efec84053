import type { GraphQLError } from 'graphql'
import type { Json } from '../executor/own.ts'
import type { PlanRun } from '../executor/plan-run.ts'
import type { Path } from '../executor/response-path.ts'

/** A fragment of one object that is delivered later. */
export interface DeferredPart {
  label: string | undefined
  path: Path
}

/** The same, delivered. */
export interface DeliveredPart {
  part: DeferredPart
  /** Null where a null bubbles up to the fragment. */
  data: Json | null
  errors: GraphQLError[]
}

export interface Payload {
  delivered: DeliveredPart[]
  /** Parts within what is delivered here, that are delivered later. */
  announced: DeferredPart[]
  hasNext: boolean
}

/** Parts of a response that come after its first one. */
export interface Rest {
  announced: readonly DeferredPart[]
  /** @throws FederationError for a response that is too large */
  payloads(): AsyncIterable<Payload>
  readonly run: PlanRun
  /** Resolves when all fetches have ended. */
  ended: Promise<void>
}
