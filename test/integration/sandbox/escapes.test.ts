import type { Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { CRAWLER } from './crawler.ts'
import { CALL_F, MODES, run, sandboxed } from './run.ts'
import { SECRET, startWitnesses, type Witnesses } from './witnesses.ts'

/** Every known way to a built-in module, given its name with `node:`. */
const ROUTES = {
  'import()': '(name) => import(name)',
  'import() without the scheme': '(name) => import(name.slice(5))',
  'import() in evaluated code': "(name) => new Function('name', 'return import(name)')(name)",
  'import() of a data: module': `(name) => import('data:text/javascript,export * from "' + name + '"')`,
  'import() of a file': "(name) => import('file:///' + name)",
  getBuiltinModule: '(name) => process.getBuiltinModule(name)',
  require: '(name) => require(name)',
  'process.binding': '(name) => process.binding(name.slice(5))',
  'process.mainModule': '(name) => process.mainModule.require(name)',
  'the constructor of process': '(name) => process.constructor.getBuiltinModule(name)',
}

/** Attempts of code with a module; each is `true` once it worked. */
const ATTACKS = `
  const attacks = {
    async 'read a file'() { return (await load('node:fs')).readFileSync(read, 'utf8') },
    async 'read /etc/passwd'() { return (await load('node:fs')).readFileSync('/etc/passwd', 'utf8') },
    async "read the server's environment"() { return (await load('node:fs')).readFileSync('/proc/' + process.ppid + '/environ', 'utf8') },
    async 'write a file'() { (await load('node:fs')).writeFileSync(write, 'x') },
    async 'write with SQLite'() { new (await load('node:sqlite')).DatabaseSync(write).exec('create table a (b)') },
    async 'start a process'() { (await load('node:child_process')).spawnSync('touch', [write]) },
    async 'fork again and again'() { for (let i = 0; i < 50; i++) (await load('node:child_process')).spawn('sleep', ['60']) },
    async 'start a thread'() { new (await load('node:worker_threads')).Worker('1', { eval: true }) },
    async 'start a cluster'() { (await load('node:cluster')).fork() },
    async 'open a connection'() { (await load('node:net')).connect(port, '127.0.0.1') },
    async 'call over HTTP'() { (await load('node:http')).get('http://127.0.0.1:' + port) },
    async 'send a datagram'() { (await load('node:dgram')).createSocket('udp4').send('x', port) },
    async 'look up a name'() { await (await load('node:dns')).promises.lookup('localhost') },
    async 'open the inspector'() { (await load('node:inspector')).open(0) },
    async 'get the real process'() { (await load('node:process')).kill(pid, 'SIGKILL') },
    async 'make a require'() { (await load('node:module')).createRequire('/')('fs') },
    async 'set flags of the engine'() { (await load('node:v8')).setFlagsFromString('--allow-natives-syntax') },
    async 'leave the context'() { (await load('node:vm')).runInThisContext('process') },
    async 'run WASI'() { new (await load('node:wasi')).WASI({ version: 'preview1' }) },
    async 'watch sockets'() { (await load('node:async_hooks')).createHook({ init() {} }).enable() },
    async 'get an emitter'() { (await load('node:events')).EventEmitter.prototype.emit.name },
  }
  const worked = []
  for (const name of Object.keys(attacks)) {
    try { worked.push([name, await attacks[name]()]) } catch {}
  }
  await new Promise((resolve) => setTimeout(resolve, 20))
  return worked`

/** Makes an import that the component must not have; what it returns is what came of it. */
const IMPORTS = `
  const got = []
  const names = ['net', 'fs', 'v8', 'vm', 'child_process', 'module', 'worker_threads', 'process']
  const tries = {
    plain: (name) => import(name),
    evaluated: (name) => new Function('name', 'return import(name)')(name),
    'evaluated by nobody': (name) => Promise.resolve('return import("' + name + '")').then(Function).then((made) => made()),
    'evaluated by a list': (name) => ['return import("' + name + '")'].map(Function)[0](),
    'evaluated in another way': (name) => (0, eval)('import("' + name + '")'),
    'evaluated by reflection': (name) => Reflect.construct(Function, ['return import("' + name + '")'])(),
    'evaluated later': (name) => new Promise((resolve) => setTimeout((made) => resolve(made()), 1, new Function('return import("' + name + '")'))),
    'an async function': (name) => (async () => {}).constructor('return import("' + name + '")')(),
    'a generator': (name) => (function* () {}).constructor('yield import("' + name + '")')().next().value,
  }
  for (const name of names)
    for (const prefix of ['', 'node:'])
      for (const [way, load] of Object.entries(tries))
        try { await load(prefix + name); got.push(way + ' ' + prefix + name) } catch {}
  return got`

/** Changes that get into the lists and the lookups of Node's own code. */
const TAMPERING = {
  'a setter in every list': `for (const at of [0, 1, 2, 3]) {
      const held = new WeakMap()
      Object.defineProperty(Array.prototype, String(at), { configurable: true,
        get() { return held.get(this) }, set(value) { held.set(this, typeof value === 'function' ? (...args) => value(...args) : value) } })
    }`,
  'a setter that drops what it gets': `Object.defineProperty(Array.prototype, '1', { configurable: true, set() {}, get() { return (url, context) => ({ url, format: 'builtin', shortCircuit: true }) } })`,
  'getters on every object': `for (const key of ['format', 'shortCircuit', 'source', 'url', 'conditions', 'importAttributes', 'noDeprecation'])
      Object.defineProperty(Object.prototype, key, { configurable: true, get() { return true } })`,
  'promises and iterators': `Promise.prototype.then = new Proxy(Promise.prototype.then, { apply: (target, self, args) => Reflect.apply(target, self, args) })
      Array.prototype[Symbol.iterator] = function* () { for (let at = 0; at < this.length; at += 1) yield this[at] }`,
}

/** A sloppy function without a strict one below it, which finds what called it and what is left in the global object. */
const HARNESS_FUNCTIONS = `
  const found = []
  const { prepareStackTrace } = Error
  Error.stackTraceLimit = 50
  Error.prepareStackTrace = (_, sites) => sites
  for (const site of new Error().stack) {
    const own = site.getFunction()
    if (own && own !== arguments.callee) found.push('on the stack: ' + own.name)
  }
  Error.prepareStackTrace = prepareStackTrace
  try {
    for (let own = arguments.callee.caller; own; own = own.caller) found.push('as a caller: ' + own.name)
  } catch {}
  for (const name of ['listen', 'write', 'answer', 'call', 'describe', 'hits', 'serialize', 'refusal', 'evaluate'])
    if (name in globalThis) found.push('as a global: ' + name)
  return found`

/** Code that reads properties of Node's own objects when it is used. */
const SEEN_BY_GETTERS = `
  const seen = []
  const names = ['noDeprecation', 'throwDeprecation', 'traceDeprecation', 'emitWarning', 'env', 'domain', 'then', 'signal', 'context', 'constructor']
  for (const name of [...names, 'hasOwnProperty', 'toString', 'highWaterMark'])
    Object.defineProperty(Object.prototype, name, { __proto__: null, configurable: true, get() {
      try { if (this !== process && (Reflect.has(this, 'reallyExit') || Reflect.has(this, '_kill'))) seen.push(name) } catch {}
    }, set(value) { Object.defineProperty(this, name, { __proto__: null, value, configurable: true, writable: true, enumerable: true }) } })
  const util = await import('util')
  try { util.deprecate(() => {}, 'old', 'DEP1')() } catch {}
  try { Buffer(1) } catch {}
  try { await new Promise((resolve) => setTimeout(resolve, 5)) } catch {}
  try { process.emitWarning?.('x') } catch {}
  try { util.inspect(new Proxy({}, {}), { showProxy: true }) } catch {}
  for (const name of [...names, 'hasOwnProperty', 'toString', 'highWaterMark']) delete Object.prototype[name]
  return seen`

describe.each(MODES)('in %s mode', (_, create) => {
  let sandbox: Sandbox
  let witnesses: Witnesses

  beforeAll(async () => {
    witnesses = await startWitnesses()
    sandbox = await create({ residentMebibytes: 200 })
  })
  afterAll(async () => {
    await sandbox.stop()
    expect(sandboxed()).toEqual([])
    await witnesses.stop()
  })
  afterEach(() => expect(witnesses.traces()).toEqual([]))

  const attack = (body: string, expected: unknown = [], timeoutMs = 120_000, within = sandbox) =>
    run({
      sandbox: within,
      useCodeCoverage: false,
      source: `const { read, write, port, pid } = ${JSON.stringify(witnesses.known)}
        export async function f() { ${body} }`,
      scenario: {
        steps: [{ ...CALL_F.steps[0], timeoutMs, expect: [{ assert: 'equals', value: expected }] }],
      },
    })

  test.each(Object.entries(ROUTES))('no module with reach is had by %s', async (_, route) => {
    const outcome = await attack(`const load = ${route}; ${ATTACKS}`)
    expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
  })

  test.each(Object.entries({ nothing: '', ...TAMPERING }))(
    'no import gets past the harness with %s changed',
    async (_, tampering) => {
      const outcome = await attack(`${tampering}; ${IMPORTS}`)
      // One that breaks its own process beyond use is an ERROR.
      expect(outcome.message).not.toContain('node:')
      expect(outcome.state).toMatch(/^(COMPLETED|ERROR)$/)
    },
  )

  test('no function of the harness is within reach of a component', async () => {
    const outcome = await run({
      sandbox,
      source: `export const f = new Function(${JSON.stringify(HARNESS_FUNCTIONS)})`,
      scenario: {
        steps: [{ ...CALL_F.steps[0], expect: [{ assert: 'equals', value: [] }] }],
      },
    })
    expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
  })

  test('what Node looks up in the process a component does not answer', async () => {
    expect(await attack(SEEN_BY_GETTERS)).toMatchObject({ state: 'COMPLETED', message: '' })
  })

  test('nothing that a component can reach leads to a socket, an emitter or the real process', async () => {
    expect(await attack(CRAWLER)).toMatchObject({ state: 'COMPLETED', message: '' })
  })

  test.each([
    ['signalling the parent', 'process.kill(process.ppid, "SIGKILL")'],
    ['signalling a process', 'process.kill(pid, "SIGKILL")'],
    ['signalling below the surface', 'process._kill(pid, 9)'],
    ['attaching a debugger to a process', 'process._debugProcess(pid)'],
    ['replacing itself by a program', `process.execve('/usr/bin/touch', ['touch', write])`],
    ['loading an add-on', 'process.dlopen({ exports: {} }, "/a.node")'],
    ['fetching', 'await fetch("http://127.0.0.1:" + port)'],
    ['fetching a file', 'await fetch("file://" + read)'],
    ['a WebSocket', 'new WebSocket("ws://127.0.0.1:" + port)'],
    ['an EventSource', 'new EventSource("http://127.0.0.1:" + port)'],
    ['a request object', 'new Request("http://127.0.0.1:" + port)'],
    ['leaving', 'process.exit(0)'],
  ])('%s is refused, with the reason', async (_, body) => {
    const outcome = await attack(`${body}; return []`)
    expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'FORBIDDEN' })
    expect(outcome.message).toMatch(/closed to components \(Component, line \d+\)$/)
  })

  test("the server's environment is not there", async () => {
    const outcome = await attack('return process.env', {})
    expect(outcome.state).toBe('COMPLETED')
    expect(JSON.stringify(outcome)).not.toContain(SECRET)
  })

  test.each([
    ['an endless loop', 'for (;;);', 300, 'TIMEOUT'],
    ['an endless wait', 'await new Promise(() => {})', 300, 'TIMEOUT'],
    ['an endless chain of promises', 'for (;;) await null', 300, 'TIMEOUT'],
    [
      'a memory bomb',
      'const all = []; for (;;) all.push(new Array(1e4).fill(0.5))',
      120_000,
      'MEMORY_LIMIT',
    ],
    [
      '1 GB of Buffers',
      'const all = []; for (let i = 0; i < 20; i++) all.push(Buffer.alloc(5e7, 1)); for (;;);',
      120_000,
      'MEMORY_LIMIT',
    ],
    [
      '1 GB of shared memory',
      'const all = []; for (let i = 0; i < 20; i++) all.push(new Uint8Array(new SharedArrayBuffer(5e7)).fill(1)); for (;;);',
      120_000,
      'MEMORY_LIMIT',
    ],
    [
      '1 GB of WebAssembly memory',
      'new Uint8Array(new WebAssembly.Memory({ initial: 16_000 }).buffer).fill(1); for (;;);',
      120_000,
      'MEMORY_LIMIT',
    ],
    [
      '1 GB of output',
      'const text = "x".repeat(1e6); for (let i = 0; i < 1000; i++) console.log(text)',
      120_000,
      'OUTPUT_LIMIT',
    ],
    ['a million lines', 'for (let i = 0; i < 1e6; i++) console.log("")', 120_000, 'OUTPUT_LIMIT'],
    ['a huge result', 'return "x".repeat(5e6)', 120_000, 'MESSAGE_LIMIT'],
    [
      'a deep result',
      'let deep = []; for (let i = 0; i < 2000; i++) deep = [deep]; return deep',
      120_000,
      'MESSAGE_LIMIT',
    ],
    [
      'a throw after its turn',
      'setTimeout(() => { throw new Error("late") }); await new Promise(() => {})',
      120_000,
      'SCRIPT_ERROR',
    ],
    [
      'a rejection nobody handles',
      'Promise.reject(new Error("late")); await new Promise(() => {})',
      120_000,
      'SCRIPT_ERROR',
    ],
  ])('%s ends with its reason', async (_, body, timeoutMs, errorCode) => {
    expect(await attack(body, [], timeoutMs)).toMatchObject({ state: 'ERROR', errorCode })
  })

  test('processor time without end ends with its reason', async () => {
    const limited = await create({ cpuSeconds: 1 })
    expect(await attack('for (;;);', [], 120_000, limited)).toMatchObject({
      state: 'ERROR',
      errorCode: 'CPU_LIMIT',
    })
    await limited.stop()
  })
})
