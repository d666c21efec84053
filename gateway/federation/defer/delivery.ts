import { setImmediate } from 'node:timers/promises'
import { responseTooLarge } from '../../../formats/graphql/response-size.ts'
import { charactersIn, OF_MARKS, OF_OTHERS } from '../../../formats/json/json.ts'
import { FederationError } from '../errors.ts'
import type { PendingPart } from '../executor/object-shape.ts'
import { copied, type Json } from '../executor/own.ts'
import type { PlanRun } from '../executor/plan-run.ts'
import type { Path } from '../executor/response-path.ts'
import { shapedPart } from '../executor/shape.ts'
import type { Block } from '../executor/stages.ts'
import { explanationsOf } from '../executor/unexplained.ts'
import { idOfLabel } from './deferred-fragments.ts'
import type { ErrorsByPlace } from './errors-by-place.ts'
import type { DeferredPart, DeliveredPart, Payload, Rest } from './parts.ts'

interface Waiting {
  part: DeferredPart
  pending: PendingPart
}

/** Marks and names around a part in its formats. */
const OF_PART = 60

/** Delivers the parts of one run, each as soon as its fetches have ended and the part that it stands in is delivered. */
export class Delivery implements Rest {
  readonly announced: readonly DeferredPart[]
  readonly ended: Promise<void>
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #ready: Waiting[] = []
  readonly #endOf = new Map<string, Promise<unknown>>()
  #wake: () => void = () => {}
  #failure: unknown

  /** @param errors those that the first part of the response does not hold */
  constructor(
    readonly run: PlanRun,
    private readonly labels: ReadonlyMap<string, string | undefined>,
    private readonly errors: ErrorsByPlace,
    private readonly maxResponse: number,
    blocks: readonly Block[],
    pending: readonly PendingPart[],
  ) {
    const ids = new Map<string, Promise<void>[]>()
    for (const { label, ended } of blocks)
      if (label !== undefined)
        ids.set(idOfLabel(label), [...(ids.get(idOfLabel(label)) ?? []), ended])
    for (const [id, all] of ids) this.#endOf.set(id, Promise.all(all))
    this.ended = Promise.all(blocks.map(({ ended }) => ended)).then(
      () => {},
      (error) => this.#fail(error),
    )
    this.announced = this.#announce(pending)
  }

  async *payloads(): AsyncIterable<Payload> {
    while (this.#waiting.size > 0 || this.#ready.length > 0) {
      if (this.#ready.length === 0 && this.#failure === undefined)
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      // Blocks that end in one turn are one payload.
      await setImmediate()
      if (this.#failure !== undefined) throw this.#failure
      yield this.#payload(this.#ready.splice(0))
    }
  }

  /** Notes what is to come. @throws FederationError where the response has no room for it */
  #announce(pending: readonly PendingPart[]): DeferredPart[] {
    const parts = pending.map((one): Waiting => {
      const { id, path } = one
      const label = this.labels.get(id)
      this.#take(OF_PART + (label?.length ?? 0) + sizeOf(path))
      return { part: { label, path }, pending: one }
    })
    for (const one of parts) {
      const { id } = one.pending
      const known = this.#waiting.get(id)
      if (known) known.push(one)
      else {
        this.#waiting.set(id, [one])
        void Promise.resolve(this.#endOf.get(id)).then(
          () => this.#isReady(id),
          () => {}, // `ended` says so.
        )
      }
    }
    return parts.map(({ part }) => part)
  }

  #isReady(id: string): void {
    this.#ready.push(...(this.#waiting.get(id) ?? []))
    this.#waiting.delete(id)
    this.#wake()
  }

  #fail(error: unknown): void {
    this.run.log.error(
      { err: error, requestId: this.run.context.caller.requestId },
      'A deferred fetch failed',
    )
    this.#failure = error
    this.#wake()
  }

  #payload(ready: readonly Waiting[]): Payload {
    const { run } = this
    const isExplained = explanationsOf(run.errors, run.lost)
    const nested: PendingPart[] = []
    const delivered = ready.map(({ part, pending }): DeliveredPart => {
      const found: PendingPart[] = []
      const data = copied(shapedPart(pending, run, isExplained, found)) as Json | null
      this.#take(charactersIn(data, run.room))
      for (const one of found) if (isThere(data, one.path.slice(part.path.length))) nested.push(one)
      return { part, data, errors: [] }
    })
    this.#take(0)
    const announced = this.#announce(nested)
    const hasNext = this.#waiting.size > 0 || this.#ready.length > 0
    this.errors.handOut(run.errors, delivered, !hasNext)
    return { delivered, announced, hasNext }
  }

  #take(characters: number): void {
    this.run.room -= characters
    if (this.run.room < 0) throw new FederationError(...responseTooLarge(this.maxResponse))
  }
}

const sizeOf = (path: Path): number =>
  path.reduce<number>(
    (sum, step) => sum + (typeof step === 'string' ? step.length + OF_MARKS : OF_OTHERS),
    0,
  )

/** True if an object stands at a path: one that took its parents with it by a null has no parts. */
export function isThere(data: unknown, path: Path): boolean {
  let at = data
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return false
    at = (at as Record<string | number, unknown>)[step]
  }
  return typeof at === 'object' && at !== null
}
