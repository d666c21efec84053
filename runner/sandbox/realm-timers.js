/**
 * As much of Node's timers as needs none of its objects. Part of realm.js.
 * @param safely calls a function of the host
 */
export function createTimers(host, safely) {
  const { create } = Object
  const { apply } = Reflect
  const asNumber = Number
  const TypeErrorType = TypeError
  const scheduled = create(null)
  let lastTimer = 0

  class Timeout {
    #id
    constructor(id) {
      this.#id = id
    }
    static idOf(timer) {
      if (timer === null || typeof timer !== 'object') return asNumber(timer)
      return #id in timer ? timer.#id : 0
    }
    ref() {
      return this
    }
    unref() {
      return this
    }
    hasRef() {
      return true
    }
    refresh() {
      if (scheduled[this.#id]) safely(host.refresh, this.#id)
      return this
    }
    close() {
      clear(this)
      return this
    }
    [Symbol.toPrimitive]() {
      return this.#id
    }
    [Symbol.dispose]() {
      clear(this)
    }
  }
  const { idOf } = Timeout

  function schedule(kind, callback, ms, args) {
    if (typeof callback !== 'function') {
      throw new TypeErrorType('The "callback" argument must be a function')
    }
    lastTimer += 1
    const timer = new Timeout(lastTimer)
    scheduled[lastTimer] = { kind, callback, timer, args }
    safely(host.schedule, kind, lastTimer, asNumber(ms ?? 1))
    return timer
  }

  function clear(timer) {
    const id = idOf(timer)
    if (!scheduled[id]) return
    delete scheduled[id]
    safely(host.unschedule, id)
  }

  function fire(id) {
    const due = scheduled[id]
    if (!due) return
    if (due.kind !== 'interval') delete scheduled[id]
    apply(due.callback, due.timer, due.args)
  }

  return { schedule, clear, fire }
}
