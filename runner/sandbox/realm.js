/**
 * The half of the harness that stands in the component's realm: evaluated there before the component's code, it makes all
 * that the component gets, so that nothing of the harness' own realm is handed in. Between the realms go texts, numbers and
 * truths. Everything the component could change is taken here first.
 * @param host functions of harness.js for this run, out of the component's reach
 * @param isFresh whether this is a realm of its own; else it is the first one of Node, with all that Node has
 */
export function createRealm(host, isFresh) {
  /** Refused with the reason; whatever else is not in the realm is simply not there. */
  const FORBIDDEN_GLOBALS = 'fetch EventSource Headers Request Response WebSocket require'
  const FORBIDDEN_PROCESS =
    'abort binding chdir dlopen execve exit getBuiltinModule kill loadEnvFile reallyExit send setegid seteuid setgid setgroups setuid umask _kill _debugProcess _linkedBinding'
  /** Globals of a new realm that run code after its time, share memory, or make objects of another realm. */
  const CLOSED = 'Atomics FinalizationRegistry WebAssembly'

  const { parse, stringify } = JSON
  const { create, defineProperty, keys } = Object
  const { apply } = Reflect
  const asText = String
  const asNumber = Number
  const asBigInt = BigInt
  const uncurried = (method) => Function.prototype.call.bind(method)
  const slice = uncurried(String.prototype.slice)
  const split = uncurried(String.prototype.split)
  const then = uncurried(Promise.prototype.then)
  const resolved = Promise.resolve()
  const [ErrorType, TypeErrorType] = [Error, TypeError]

  let component
  let messageCharacters = 0
  let counters = {}
  let statements = []
  let reported = create(null)

  const { schedule, clear, fire } = createTimers(host, safely)
  const { format, console } = createLogging(host, safely, isFresh)

  function refusal(code, message) {
    const error = new ErrorType(message)
    error.code = code
    return error
  }

  /** Calls a method; errors of the harness, such as for a full stack, are of its own realm. */
  function safely(method, ...values) {
    try {
      return apply(method, undefined, values)
    } catch {
      throw new ErrorType('The sandbox cannot do this now')
    }
  }

  /** Statements run for the first time since the last message, so that even a killed component leaves its coverage. */
  function hits() {
    let text = ''
    try {
      for (let i = 0; i < statements.length; i += 1) {
        if (reported[i] !== true && counters[statements[i]] > 0) {
          reported[i] = true
          text += `${text && ','}${+statements[i]}`
        }
      }
    } catch {
      reported = create(null)
    }
    return `[${text}]`
  }

  function describe(error) {
    const text = (read) => {
      try {
        return stringify(slice(asText(read() ?? ''), 0, 4_000))
      } catch {
        return '""'
      }
    }
    return `{"name":${text(() => error.name)},"message":${text(() => messageOf(error))},"stack":${text(() => error.stack)},"code":${text(() => error.code)}}`
  }

  function messageOf(error) {
    return error !== null && typeof error === 'object' && 'message' in error
      ? error.message
      : format([error])
  }

  const succeed = (id, value) => safely(host.answer, 'RESULT', id, `"hits":${hits()}${value}`)
  const fail = (id, error) =>
    safely(host.answer, 'ERROR', id, `"hits":${hits()},"error":${describe(error)}`)

  async function call(name, args) {
    const callee = component[name]
    if (typeof callee !== 'function') {
      throw refusal('ERR_NO_SUCH_FUNCTION', `The component exports no function ${name}`)
    }
    const value = await apply(callee, undefined, args)
    if (value === undefined) return ''
    const json = serialize(name, value)
    if (json.length > messageCharacters) {
      throw refusal('ERR_RESULT_SIZE', `${name} returned more than ${messageCharacters} characters`)
    }
    return `,"value":${json}`
  }

  function serialize(name, value) {
    let json
    let reason = `a ${typeof value}`
    try {
      json = stringify(value)
    } catch (error) {
      reason = messageOf(error)
    }
    if (typeof json === 'string') return json
    throw refusal('ERR_NOT_JSON', `${name} returned what JSON cannot carry: ${reason}`)
  }

  function forbidden(name) {
    // No arrow function, as some of these are called with `new`.
    return function closed() {
      throw refusal('ERR_FORBIDDEN', `${name} is closed to components`)
    }
  }

  function createProcess() {
    const hrtime = (since) => {
      const now = asBigInt(safely(host.nanoseconds))
      const past = since ? asBigInt(since[0]) * 1_000_000_000n + asBigInt(since[1]) : 0n
      return [asNumber((now - past) / 1_000_000_000n), asNumber((now - past) % 1_000_000_000n)]
    }
    hrtime.bigint = () => asBigInt(safely(host.nanoseconds))
    const stand = { ...parse(host.facts), argv: [], cwd: () => '/', env: {}, execArgv: [], hrtime }
    stand.uptime = () => safely(host.uptime)
    stand.nextTick = isFresh
      ? (callback, ...args) => void schedule('tick', callback, 0, args)
      : host.nextTick
    stand.pid = 1
    stand.ppid = 0
    const names = split(FORBIDDEN_PROCESS, ' ')
    for (let at = 0; at < names.length; at += 1)
      stand[names[at]] = forbidden(`process.${names[at]}`)
    return stand
  }

  function replaceGlobal(name, value) {
    const property = create(null)
    property.value = value
    property.configurable = true
    property.writable = true
    defineProperty(globalThis, name, property)
  }

  replaceGlobal('process', createProcess())
  replaceGlobal('console', console)
  for (const name of split(FORBIDDEN_GLOBALS, ' ')) replaceGlobal(name, forbidden(name))
  if (isFresh) {
    for (const name of split(CLOSED, ' ')) delete globalThis[name]
    replaceGlobal('global', globalThis)
    replaceGlobal('performance', { now: () => safely(host.now), timeOrigin: host.timeOrigin })
    replaceGlobal('queueMicrotask', (callback) => {
      if (typeof callback !== 'function') throw new TypeErrorType('The callback must be a function')
      then(resolved, () => void callback())
    })
    replaceGlobal('setImmediate', (callback, ...args) => schedule('immediate', callback, 0, args))
    for (const kind of ['timeout', 'interval']) {
      const name = kind === 'timeout' ? 'Timeout' : 'Interval'
      replaceGlobal(`set${name}`, (callback, ms, ...args) => schedule(kind, callback, ms, args))
      replaceGlobal(`clear${name}`, clear)
    }
    replaceGlobal('clearImmediate', clear)
  }

  return {
    describe,
    fire,
    /** Answers when the module is evaluated, or has failed. */
    load(id, evaluation, namespace, coverageVariable, characters) {
      messageCharacters = characters
      const begin = () => {
        component = namespace
        counters = globalThis[coverageVariable]?.['/component']?.s ?? {}
        statements = keys(counters)
        delete globalThis[coverageVariable]
      }
      then(
        then(evaluation, begin, (error) => {
          begin()
          throw error
        }),
        () => succeed(id, ''),
        (error) => fail(id, error),
      )
    },
    /** @param args as JSON */
    call(id, name, args) {
      then(
        call(name, parse(args)),
        (value) => succeed(id, value),
        (error) => fail(id, error),
      )
    },
  }
}
