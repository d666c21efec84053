import { sizeOf } from './json-size.ts'
import { RunError } from './run-error.ts'
import type { Scope } from './template.ts'

/** What the steps of an execution captured and templates can still name. */
export interface Captures {
  /** Adds to what templates can name. @throws RunError CAPTURE_LIMIT */
  keep(captured: Readonly<Record<string, unknown>>, capture: Scope['capture']): void
  /** A row or a scenario has ended. */
  release(capture: Scope['capture']): void
}

/** @param max characters of all captures of the execution at a time */
export function createCaptures(max: number): Captures {
  const sizes = new WeakMap<Scope['capture'], number>()
  let total = 0
  return {
    keep(captured, capture) {
      const size = Object.keys(captured).length > 0 ? sizeOf(captured) : 0
      if (total + size > max)
        throw new RunError(
          'CAPTURE_LIMIT',
          `The execution captures more than ${max} characters: capture only the parts that later steps use`,
        )
      total += size
      sizes.set(capture, (sizes.get(capture) ?? 0) + size)
      Object.assign(capture, captured)
    },
    release(capture) {
      total -= sizes.get(capture) ?? 0
      sizes.delete(capture)
    },
  }
}
