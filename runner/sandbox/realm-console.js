/** Maximum depth of plain data that is logged without Node's help. */
const PLAIN_DEPTH = 20

/**
 * Text of log values, and a console that writes it. Part of realm.js.
 * @param safely calls a function of the host
 */
export function createLogging(host, safely, isFresh) {
  const { stringify } = JSON
  const { create, getOwnPropertyDescriptor, getPrototypeOf, is, setPrototypeOf } = Object
  const { apply, ownKeys } = Reflect
  const { isArray } = Array
  const isFiniteNumber = Number.isFinite
  const [objectPrototype, arrayPrototype] = [Object.prototype, Array.prototype]

  /** Text of log values as Node has it. Where they are not plain Node has to look into them, and this run is the last one. */
  function format(values) {
    if (!isFresh) return host.formatAll(values)
    // Without a prototype, whose accessors would take and replace its elements.
    const given = setPrototypeOf([], null)
    given[0] = host.formatPlain
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at]
      const isPrimitive = value === null || !isObject(value)
      if (!isPrimitive && !isPlain(value, PLAIN_DEPTH)) return safely(host.formatAll, values)
      given[2 * at + 1] = isPrimitive
      given[2 * at + 2] = isPrimitive ? value : stringify(value)
    }
    return apply(safely, undefined, given)
  }

  const isObject = (value) => typeof value === 'object' || typeof value === 'function'

  /** True if its JSON says all of it. */
  function isPlain(value, depth) {
    if (typeof value === 'number') return isFiniteNumber(value) && !is(value, -0)
    if (value === null || typeof value !== 'object') {
      return value === null || typeof value === 'string' || typeof value === 'boolean'
    }
    if (depth === 0) return false
    const list = isArray(value)
    if (getPrototypeOf(value) !== (list ? arrayPrototype : objectPrototype)) return false
    const names = ownKeys(value)
    if (list && names.length !== value.length + 1) return false
    for (let at = 0; at < names.length; at += 1) {
      const isLength = list && names[at] === 'length'
      const property = getOwnPropertyDescriptor(value, names[at])
      if (typeof names[at] === 'symbol' || property.get || property.set) return false
      if (!isLength && !(property.enumerable && isPlain(property.value, depth - 1))) return false
    }
    return true
  }

  /** Not Node's Console: that one carries streams, and with their constructor the network. */
  function createConsole() {
    const log =
      (level) =>
      (...values) =>
        safely(host.log, level, format(values))
    const info = log('INFO')
    const warn = log('WARN')
    const error = log('ERROR')
    const counts = create(null)
    const count = (label = 'default') => {
      counts[label] = (counts[label] ?? 0) + 1
      info(`${label}: ${counts[label]}`)
    }
    const assert = (holds, ...values) => {
      if (!holds) error('Assertion failed:', ...values)
    }
    const nothing = () => {}
    return {
      ...{ assert, count, debug: log('DEBUG'), dir: info, error, info, log: info, table: info },
      ...{ trace: error, warn, group: info, groupEnd: nothing, time: nothing, timeEnd: nothing },
    }
  }

  return { format, console: createConsole() }
}
