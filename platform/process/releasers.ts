import { GracePeriod } from './grace-period.ts'

export type Release = (grace: GracePeriod) => unknown

/** A stack of ways back: what was started last is stopped first. A second release finds nothing left to do. */
export class Releasers {
  readonly #stack: Release[] = []

  defer(release: Release): void {
    this.#stack.push(release)
  }

  /**
   * Runs every release, also after one has failed.
   * @param grace of the stop that this is a part of
   * @throws AggregateError of what failed
   */
  async release(grace = new GracePeriod()): Promise<void> {
    const errors: unknown[] = []
    for (let release = this.#stack.pop(); release; release = this.#stack.pop()) {
      try {
        await release(grace)
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Shutdown was not clean')
  }
}

/** Builds something out of several starts: when one of them fails, the earlier ones are undone. */
export async function withReleasers<T>(start: (releasers: Releasers) => Promise<T>): Promise<T> {
  const releasers = new Releasers()
  try {
    return await start(releasers)
  } catch (error) {
    await releasers.release().catch(() => {})
    throw error
  }
}
