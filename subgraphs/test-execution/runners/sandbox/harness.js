/**
 * Runs inside the sandboxed process, before and around the component's code. It reads one JSON request per line from
 * stdin, a socket, and writes one JSON message per line to it; the component does not get it. Everything the component could
 * change (JSON, prototypes, globals) is taken here before its code runs, and what the worker receives is a claim:
 * the worker bounds it, checks its shape and judges it.
 */
const COMPONENT_URL = 'component:under-test'
/** Built-in modules without reach outside, and from which no stream, emitter or process can be had. */
const BUILT_INS = new Set(
  'assert assert/strict buffer path path/posix querystring string_decoder timers timers/promises url util'.split(
    ' ',
  ),
)
/** Refused with the reason; whatever else is not in OPEN_GLOBALS is simply not there. */
const FORBIDDEN_GLOBALS = 'fetch EventSource Headers Request Response WebSocket require'.split(' ')
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
/** Where Node's HTTP client puts its dispatcher, on the global object, as soon as anything loads it. */
const DISPATCHERS = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`))
const FORBIDDEN_PROCESS =
  'abort binding chdir dlopen execve exit getBuiltinModule kill loadEnvFile reallyExit send setegid seteuid setgid setgroups setuid umask _kill _debugProcess _linkedBinding'.split(
    ' ',
  )
/** Removed from the real object too, in case a component finds a way to it. */
const DISARMED =
  'abort binding chdir dlopen execve getBuiltinModule kill loadEnvFile openStdin report send stderr stdin stdout _debugEnd _debugProcess _getActiveHandles _getActiveRequests _kill _linkedBinding'.split(
    ' ',
  )

// Not imported: that evaluates all that these modules offer, and makes the start longer by a tenth.
const builtIn = process.getBuiltinModule
const { read, writeSync } = builtIn('fs')
const { SourceTextModule, SyntheticModule } = builtIn('vm')
const { format, inspect } = builtIn('util')
const { parse, stringify } = JSON
const { create, keys, getPrototypeOf, setPrototypeOf } = Object
const { apply } = Reflect
const bytesOf = Buffer.from
const concat = Buffer.concat
const asText = String
const uncurried = (method) => Function.prototype.call.bind(method)
const indexOf = uncurried(Buffer.prototype.indexOf)
const subarray = uncurried(Buffer.prototype.subarray)
const decode = uncurried(Buffer.prototype.toString)
const slice = uncurried(String.prototype.slice)
const includes = uncurried(String.prototype.includes)
const has = uncurried(Set.prototype.has)
/** The real process; the component gets a stand-in. */
const outer = process
const exit = outer.exit.bind(outer)
const NEWLINE = 10
/** Standard input. */
const CONNECTION = 0

const limits = { messageBytes: 0 }
/** Built-in modules that the component may import, as modules by their name. */
const imported = create(null)
let component
let counters = {}
let statements = []
let reported = []

// What Node's own code looks up in the process, a property of every object would otherwise answer, and see the process.
setPrototypeOf(getPrototypeOf(getPrototypeOf(outer)), null)
outer.on('uncaughtException', (error) => {
  write(`{"kind":"CRASH","error":${describe(error)}}`)
  exit(1)
})
closeGlobals()
write('{"kind":"READY"}')
listen(bytesOf(''))

function listen(rest) {
  const chunk = bytesOf(new ArrayBuffer(65_536))
  read(CONNECTION, chunk, 0, chunk.length, null, (error, length) => {
    // The worker is gone: so is the reason to live.
    if (error || length === 0) exit(0)
    let pending = concat([rest, subarray(chunk, 0, length)])
    for (let end = indexOf(pending, NEWLINE); end >= 0; end = indexOf(pending, NEWLINE)) {
      answer(parse(decode(pending, 'utf8', 0, end)))
      pending = subarray(pending, end + 1)
    }
    listen(pending)
  })
}

async function answer(request) {
  const id = +request.id
  try {
    const value = request.kind === 'LOAD' ? await loadComponent(request) : await call(request)
    write(`{"kind":"RESULT","id":${id},"hits":${hits()}${value}}`)
  } catch (error) {
    write(`{"kind":"ERROR","id":${id},"hits":${hits()},"error":${describe(error)}}`)
  }
}

async function loadComponent(request) {
  // What process lists show of those that are not merely ready; flags tell one worker's from another's.
  outer.title = `sandbox in use: ${outer.execArgv.filter((flag) => slice(flag, 0, 2) === '--').join(' ')}`
  limits.messageBytes = request.messageBytes
  try {
    component = await evaluate(request.source)
  } finally {
    counters = globalThis[request.coverageVariable]?.['/component']?.s ?? {}
    statements = keys(counters)
    delete globalThis[request.coverageVariable]
  }
  return ''
}

async function call({ name, args }) {
  const callee = component[name]
  if (typeof callee !== 'function') {
    throw refusal('ERR_NO_SUCH_FUNCTION', `The component exports no function ${name}`)
  }
  const value = await apply(callee, undefined, args)
  if (value === undefined) return ''
  const json = serialize(name, value)
  if (json.length > limits.messageBytes) {
    throw refusal('ERR_RESULT_SIZE', `${name} returned more than ${limits.messageBytes} characters`)
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
    reported = []
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
    : inspect(error)
}

function refusal(code, message) {
  const error = new Error(message)
  error.code = code
  return error
}

function write(text) {
  const bytes = bytesOf(`${text}\n`)
  let sent = 0
  while (sent < bytes.length) sent += writeSync(CONNECTION, bytes, sent)
}

/**
 * Not by Node's loader, whose hooks run through lists that a component can get into: that one is out of reach, as neither
 * the component's code nor this was loaded by it. Modules are made before the component's code runs.
 */
async function evaluate(source) {
  const module = new SourceTextModule(source, {
    identifier: COMPONENT_URL,
    initializeImportMeta: (meta) => {
      meta.url = COMPONENT_URL
    },
    importModuleDynamically: (specifier) => moduleOf(specifier).namespace,
  })
  if (includes(source, 'import(')) {
    for (const name of BUILT_INS) await makeModule(name).evaluate()
  }
  await module.link((specifier) => imported[nameOf(specifier)] ?? makeModule(nameOf(specifier)))
  await module.evaluate()
  return module.namespace
}

function nameOf(specifier) {
  const name = slice(specifier, 0, 5) === 'node:' ? slice(specifier, 5) : specifier
  if (has(BUILT_INS, name)) return name
  throw refusal('ERR_FORBIDDEN', `A component cannot import ${slice(specifier, 0, 200)}`)
}

function moduleOf(specifier) {
  const name = nameOf(specifier)
  if (imported[name]) return imported[name]
  throw refusal(
    'ERR_FORBIDDEN',
    `A component imports ${name} with a literal import() or not at all`,
  )
}

function makeModule(name) {
  const exports = builtIn(name)
  const names = keys(exports)
  const module = new SyntheticModule(
    ['default', ...names.filter((each) => each !== 'default')],
    () => {
      for (const each of names) module.setExport(each, exports[each])
      module.setExport('default', exports)
    },
  )
  imported[name] = module
  return module
}

function closeGlobals() {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!has(OPEN_GLOBALS, name)) delete globalThis[name]
  }
  const { arch, hrtime, nextTick, platform, uptime, version } = outer
  const versions = { ...outer.versions }
  const visible = { arch, argv: [], cwd: () => '/', env: {}, execArgv: [], hrtime, nextTick }
  const stand = { ...visible, platform, uptime, version, versions, pid: 1, ppid: 0 }
  for (const name of FORBIDDEN_PROCESS) stand[name] = forbidden(`process.${name}`)
  for (const name of DISARMED) {
    Object.defineProperty(outer, name, { value: undefined, configurable: true })
  }
  replaceGlobal('process', stand)
  replaceGlobal('console', createConsole())
  for (const name of FORBIDDEN_GLOBALS) replaceGlobal(name, forbidden(name))
  // The places are taken, so that no dispatcher gets there.
  for (const key of DISPATCHERS)
    Object.defineProperty(globalThis, key, { value: Object.freeze({}) })
}

function replaceGlobal(name, value) {
  Object.defineProperty(globalThis, name, {
    value,
    configurable: true,
    enumerable: false,
    writable: true,
  })
}

function forbidden(name) {
  // No arrow function, as some of these are called with `new`.
  return function closed() {
    throw refusal('ERR_FORBIDDEN', `${name} is closed to components`)
  }
}

/** Not Node's Console: that one carries streams, and with their constructor the network. */
function createConsole() {
  const log =
    (level) =>
    (...values) =>
      write(
        `{"kind":"LOG","level":"${level}","text":${stringify(apply(format, undefined, values))}}`,
      )
  const info = log('INFO')
  const warn = log('WARN')
  const error = log('ERROR')
  const counts = new Map()
  const count = (label = 'default') => {
    counts.set(label, (counts.get(label) ?? 0) + 1)
    info(`${label}: ${counts.get(label)}`)
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
