/** Waits that end early when something happens; what happens between two waits ends the second one at once. */
export class Waiter {
  #isAwake = false
  #end: (() => void) | undefined

  wake(): void {
    this.#isAwake = true
    this.#end?.()
  }

  /** @param timeoutMs absent: until it is woken */
  wait(timeoutMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#end = undefined
        this.#isAwake = false
        resolve()
      }
      const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs)
      this.#end = end
      if (this.#isAwake) end()
    })
  }
}
