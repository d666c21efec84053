/**
 * Runs inside the sandboxed process, before and around the component's code. It reads one JSON request per line from
 * stdin, a socket, and writes one JSON message per line to it; the component does not get it. Everything the component could
 * change (JSON, prototypes, globals) is taken here before its code runs, and what the worker receives is a claim:
 * the worker bounds it, checks its shape and judges it.
 *
 * A run is LOAD, any number of CALL, and END. With `isFresh` its component gets a realm of its own (realm.js), and another
 * run may follow. Otherwise it gets this one, with all that Node has, and the process is of no further use.
 */
/** ECMAScript, and of Node what neither leads outside nor loads something that does. */
const OPEN_GLOBALS = new Set(
  `AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array BigUint64Array Boolean DataView
  Date DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity
  Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError
  Reflect RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError TypeError URIError Uint16Array
  Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape
  AbortController AbortSignal Buffer CustomEvent DOMException Event EventTarget TextDecoder TextEncoder URL
  URLSearchParams atob btoa clearImmediate clearInterval clearTimeout crypto global performance queueMicrotask
  setImmediate setInterval setTimeout structuredClone`.split(/\s+/),
)
/** Keys under which Node's HTTP client puts its dispatcher, on the global object, as soon as anything loads it. */
const DISPATCHERS = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`))
/** Removed from the real object too, in case a component finds a way to it. */
const DISARMED =
  'abort binding chdir dlopen execve getBuiltinModule kill loadEnvFile openStdin report send stderr stdin stdout _debugEnd _debugProcess _getActiveHandles _getActiveRequests _kill _linkedBinding'.split(
    ' ',
  )

// Not imported: that evaluates all that these modules offer, and makes the start longer by a tenth.
const builtIn = process.getBuiltinModule
const { read, writeSync } = builtIn('fs')
const { constants, createContext, Script, SourceTextModule } = builtIn('vm')
const { format } = builtIn('util')
const { parse, stringify } = JSON
const { create, freeze, getOwnPropertyDescriptor, getPrototypeOf, keys, setPrototypeOf } = Object
const { apply, ownKeys } = Reflect
const { setTimeout, setInterval, setImmediate, clearTimeout, clearImmediate } = globalThis
const bytesOf = Buffer.from
const concat = Buffer.concat
const asText = String
const asNumber = Number
const uncurried = (method) => Function.prototype.call.bind(method)
const indexOf = uncurried(Buffer.prototype.indexOf)
const subarray = uncurried(Buffer.prototype.subarray)
const decode = uncurried(Buffer.prototype.toString)
const slice = uncurried(String.prototype.slice)
const has = uncurried(Set.prototype.has)
/** The real process; the component gets a stand-in. */
const outer = process
const exit = outer.exit.bind(outer)
const { arch, nextTick, platform, uptime, version, versions } = outer
const facts = stringify({ arch, platform, version, versions })
const nanoseconds = outer.hrtime.bigint
const origin = nanoseconds()
const timeOrigin = Date.now()
const flags = outer.execArgv.filter((flag) => slice(flag, 0, 2) === '--').join(' ')
const NEWLINE = 10
/** Standard input. */
const CONNECTION = 0

/** Evaluated once for each realm. What it makes of a host has the methods of realm.js. */
let realm = null
/** The run that goes on: its number, what realm.js made, and its timers by number. Null between two. */
let run = null
let isClosed = false

// A property of every object would otherwise answer lookups of Node's own code in the process, and see the process.
setPrototypeOf(getPrototypeOf(getPrototypeOf(outer)), null)
outer.on('uncaughtException', (error) => crash(run ? run.inside.describe(error) : '{}'))
closeGlobals()
write('{"kind":"READY","run":0}')
listen(bytesOf(''))

function listen(rest) {
  const chunk = bytesOf(new ArrayBuffer(65_536))
  read(CONNECTION, chunk, 0, chunk.length, null, (error, length) => {
    // The worker is gone: so is the reason to live.
    if (error || length === 0) exit(0)
    let pending = concat([rest, subarray(chunk, 0, length)])
    for (let end = indexOf(pending, NEWLINE); end >= 0; end = indexOf(pending, NEWLINE)) {
      take(parse(decode(pending, 'utf8', 0, end)))
      pending = subarray(pending, end + 1)
    }
    listen(pending)
  })
}

function take(request) {
  if (request.kind === 'LOAD') return load(request)
  if (run?.number !== request.run) return exit(1)
  if (request.kind === 'END') return end()
  run.inside.call(request.id, request.name, request.args)
}

async function load(request) {
  if (run) return exit(1)
  title('sandbox in use')
  const { isFresh, source, id } = request
  realm ??= new Script(REALM, { filename: 'realm' })
  const context = isFresh ? createContext(constants.DONT_CONTEXTIFY) : undefined
  if (isFresh) closeRealm()
  run = { number: request.run, timers: create(null), isLast: !isFresh, inside: null }
  const make = isFresh ? realm.runInContext(context) : realm.runInThisContext()
  run.inside = make(hostOf(run), isFresh)
  try {
    const module = await linked(source, context)
    const { coverageVariable, messageBytes } = request
    // Not awaited here: the promise is of the component's realm, where what awaits it can be replaced.
    const evaluation = module.evaluate()
    run.inside.load(id, evaluation, module.namespace, coverageVariable, messageBytes)
  } catch (error) {
    write(
      `{"kind":"ERROR","run":${run.number},"id":${id},"hits":[],"error":${run.inside.describe(error)}}`,
    )
  }
}

/** Ends a run; ends the process where something is left that could still act, or that Node has seen. */
function end() {
  if (run.isLast || keys(run.timers).length > 0) exit(0)
  title('sandbox kept')
  const { number } = run
  run = null
  write(`{"kind":"ENDED","run":${number}}`)
}

/**
 * All that the half in the component's realm can do here, and only as long as its run goes on. An object of that realm
 * would be handed functions of this one by what looks into it: `formatAll` alone takes any, and the run is then the last.
 */
function hostOf(own) {
  const during =
    (method) =>
    (...values) => {
      if (run !== own) exit(1)
      if (method !== formatAll) {
        for (let at = 0; at < values.length; at += 1) if (isObject(values[at])) exit(1)
      }
      return apply(method, undefined, values)
    }
  const formatAll = (values) => {
    own.isLast = true
    return apply(format, undefined, values)
  }
  const { timers, number } = own
  const after = (id, repeats) => () => {
    if (!repeats) delete timers[id]
    own.inside.fire(id)
  }
  const host = create(null)
  host.facts = facts
  host.timeOrigin = timeOrigin
  host.nextTick = nextTick
  host.now = during(() => asNumber(nanoseconds() - origin) / 1e6)
  host.nanoseconds = during(() => asText(nanoseconds()))
  host.uptime = during(() => uptime())
  host.answer = during((kind, id, rest) => {
    write(`{"kind":"${kind}","run":${number},"id":${id},${rest}}`)
  })
  host.log = during((level, text) => {
    write(`{"kind":"LOG","run":${number},"level":"${level}","text":${stringify(text)}}`)
  })
  host.formatPlain = during((...pairs) => {
    const values = []
    for (let at = 0; at < pairs.length; at += 2) {
      values[at / 2] = pairs[at] ? pairs[at + 1] : parse(pairs[at + 1])
    }
    return apply(format, undefined, values)
  })
  host.formatAll = during(formatAll)
  host.schedule = during((kind, id, ms) => {
    timers[id] = null
    if (kind === 'tick') nextTick(after(id, false))
    else if (kind === 'immediate') timers[id] = setImmediate(after(id, false))
    else if (kind === 'interval') timers[id] = setInterval(after(id, true), ms)
    else timers[id] = setTimeout(after(id, false), ms)
  })
  host.unschedule = during((id) => {
    if (timers[id]?.refresh) clearTimeout(timers[id])
    else clearImmediate(timers[id])
    delete timers[id]
  })
  host.refresh = during((id) => void timers[id]?.refresh?.())
  return host
}

function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

function crash(error) {
  write(`{"kind":"CRASH","run":${run?.number ?? 0},"error":${error}}`)
  exit(1)
}

function write(text) {
  const bytes = bytesOf(`${text}\n`)
  let sent = 0
  while (sent < bytes.length) sent += writeSync(CONNECTION, bytes, sent)
}

/** The name of a busy process in process lists; the flags identify its worker. */
function title(use) {
  outer.title = `${use}: ${flags}`
}

function closeGlobals() {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!has(OPEN_GLOBALS, name)) delete globalThis[name]
  }
  for (const name of DISARMED) {
    Object.defineProperty(outer, name, { value: undefined, configurable: true })
  }
  // The places are taken, so that no dispatcher gets there.
  for (const key of DISPATCHERS)
    Object.defineProperty(globalThis, key, { value: Object.freeze({}) })
}

/** Prototypes of an error, a list, and all that their methods return. */
const REACHED =
  'Object Array Iterator Promise Symbol String Number Boolean BigInt RegExp Error AggregateError EvalError RangeError ReferenceError SuppressedError SyntaxError TypeError URIError'

/**
 * Objects of this realm get into another one in spite of all: the error of a stack that is full in Node's own code, the
 * list of arguments of a trap. They lead to nothing that keeps a change or makes code of text.
 */
function closeRealm() {
  if (isClosed) return
  isClosed = true
  // The first one warns of it, by an object that cannot be made any more once this realm is closed.
  new SourceTextModule('')
  const kinds = [() => {}, function* () {}, async () => {}, async function* () {}].map(
    getPrototypeOf,
  )
  for (const kind of kinds) delete kind.constructor
  const queue = [...kinds, [].values(), ''[Symbol.iterator](), ''.matchAll('')]
  for (const name of REACHED.split(' ')) queue.push(globalThis[name])
  const seen = new Set()
  for (const value of queue) {
    if (!isObject(value) || seen.has(value)) continue
    seen.add(value)
    freeze(value)
    // Most are methods, which hold nothing else.
    if (typeof value === 'function' && value.prototype === undefined && value !== kinds[0]) continue
    queue.push(getPrototypeOf(value))
    for (const key of ownKeys(value)) {
      const { get, set, value: held } = getOwnPropertyDescriptor(value, key)
      queue.push(get, set, held)
    }
  }
}
