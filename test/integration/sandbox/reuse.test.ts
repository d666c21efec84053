import { setTimeout } from 'node:timers/promises'
import { createSandbox, type Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { eventually } from '../../support/eventually.ts'
import { type Given, MARK, run, sandboxed, survivors } from './run.ts'

const ROWS = 6
const SOURCE = 'export const f = () => 42'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await create({})
})
afterAll(async () => {
  await sandbox.stop()
  expect(sandboxed()).toEqual([])
})
afterEach(() => expect(survivors()).toEqual([]))

/** Times and processor time are beyond those of a slow machine. */
const LIMITS = { heapMebibytes: MARK, endMs: 60_000, reuseIdleMs: 60_000, reuseCpuSeconds: 30 }

const create = (limits: object, reuse = true) =>
  createSandbox({ mode: 'strict', limits: { ...LIMITS, ...limits }, reuse })

const call = (...args: unknown[]) => ({ id: 'f', call: { function: 'f', args } })

/** Calls `f` with one argument in each run; a run's result is that argument, or what `f` returned instead. */
async function inTurn(source: string, args: readonly unknown[]) {
  const known = sandboxed()
  const results: unknown[] = []
  const pids: string[][] = []
  for (const arg of args) {
    const expect = [{ assert: 'equals', value: arg }]
    const outcome = await run({ sandbox, source, scenario: { steps: [{ ...call(arg), expect }] } })
    const [failure] = outcome.validationFailures
    results.push(outcome.state === 'ERROR' ? outcome.message : failure ? failure.actualValue : arg)
    pids.push(sandboxed().filter((pid) => !known.includes(pid)))
  }
  return { results, pids }
}

test('a process has no more than its number of runs', async () => {
  const alone = await create({ reuseRuns: 2 })
  const known = sandboxed()
  const own = () => sandboxed().filter((pid) => !known.includes(pid))
  await run({ sandbox: alone, source: SOURCE })
  const first = own()
  await run({ sandbox: alone, source: SOURCE })
  await run({ sandbox: alone, source: SOURCE })
  const next = own().filter((pid) => !first.includes(pid))
  expect([first.length > 0, next.length]).toEqual([true, first.length])
  await alone.stop()
})

const STATE = {
  'a global': ['globalThis.left', 'globalThis.left = true'],
  'a variable of the module': ['left', 'left = true'],
  'a property of every object': ['({}).left', 'Object.prototype.left = true'],
  'a changed function': ['JSON.parse.left', 'JSON.parse.left = true; JSON.stringify = () => "7"'],
  'a promise that answers otherwise': [
    'Promise.prototype.then.left',
    'Promise.prototype.then = Object.assign(() => {}, { left: true })',
  ],
  'an environment variable': ['process.env.left', 'process.env.left = true'],
  'a property of the process': ['process.left', 'process.left = true'],
  'a listener of the process': [
    'process.on?.left ?? process.listeners?.("exit").length',
    'process.on?.("exit", () => {})',
  ],
  'a working directory': ['process.cwd() !== "/" || undefined', 'process.cwd = () => "/left"'],
  'a replaced console': ['console.left', 'console.left = true; console.log = () => {}'],
  'a shape of stacks': ['Error.prepareStackTrace', 'Error.prepareStackTrace = () => "left"'],
  'a frozen global': [
    'Object.isFrozen(Array.prototype) || undefined',
    'Object.freeze(Array.prototype)',
  ],
  'an expression that remembers': ['RegExp.$1 || undefined', '/(l)eft/.exec("left")'],
  'a changed timer': ['setTimeout.left', 'setTimeout.left = true; globalThis.setTimeout = 7'],
}

test.each(Object.entries(STATE))(
  'nothing of %s is left for the next run',
  async (_, [read, write]) => {
    const source = `let left
    export function f(turn) { const seen = ${read}; ${write}; return seen === undefined ? turn : 'left: ' + seen }`
    const { results, pids } = await inTurn(source, [1, 2, 3])
    expect(results).toEqual([1, 2, 3])
    expect(pids[2]).toEqual(expect.arrayContaining(pids[0] ?? []))
  },
)

test('coverage counts what the run itself ran', async () => {
  const source = `export function f(way) {
    if (way === 1) {
      return 42
    }
    return 7
  }`
  for (const [way, hit] of [
    [1, [2, 3]],
    [2, [2, 5]],
    [1, [2, 3]],
  ] as const) {
    const { codeCoverage } = await run({ sandbox, source, scenario: { steps: [call(way)] } })
    expect(codeCoverage[0]?.hitLines).toEqual(hit)
  }
})

/** Objects of the harness' realm, and what of all that they lead to could keep a change or make code. */
const FOREIGN = `export function f() {
  const foreign = []
  const note = (value) => { if (Object(value) === value && !(value instanceof Object)) foreign.push(value) }
  Error.prepareStackTrace = new Proxy(function () {}, { apply(_, self, list) { note(self); note(list); return '' } })
  new Error('x').stack
  delete Error.prepareStackTrace
  const uses = [() => new Error('x').stack, () => performance.now(), () => process.uptime(), () => clearTimeout(setTimeout(() => {}, 1))]
  for (const use of uses) {
    const deep = () => { try { use() } catch (error) { note(error) } deep() }
    try { deep() } catch (error) { note(error) }
  }
  const open = []
  const seen = new Set()
  const queue = foreign.map((value) => Object.getPrototypeOf(value))
  while (queue.length > 0) {
    const value = queue.pop()
    if (Object(value) !== value || value instanceof Object || seen.has(value)) continue
    seen.add(value)
    if (!Object.isFrozen(value)) open.push(String(value.name ?? typeof value))
    queue.push(Object.getPrototypeOf(value))
    for (const key of Reflect.ownKeys(value)) {
      const { get, set, value: held } = Object.getOwnPropertyDescriptor(value, key)
      queue.push(get, set, held)
      if (typeof held === 'function' && /^(Async)?(Generator)?Function$/.test(held.name)) open.push('makes code: ' + held.name)
    }
    try { if (typeof value.constructor.constructor('return 1') === 'function') open.push('makes code') } catch {}
  }
  return foreign.length > 0 && seen.size > 50 ? open : ['only ' + foreign.length + ' and ' + seen.size]
}`

test('what gets out of the realm of the harness leads to nothing that lasts', async () => {
  const steps = [{ ...call(), expect: [{ assert: 'equals', value: [] }] }]
  const outcome = await run({ sandbox, source: FOREIGN, scenario: { steps } })
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
})

/** Uses all that a component gets while accessors of its prototypes stand in for elements and fields that others look up. */
const ACCESSORS = `const got = []
const note = (what, value) => {
  for (let at = value; Object(at) === at; at = Reflect.getPrototypeOf(at)) if (at === Object.prototype) return
  if (Object(value) === value) own(got, got.length, what)
}
const evil = { [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) { note('options', options); note('inspect', inspect); return 'x' } }
const define = Object.defineProperty
const own = (self, key, value) => define(self, key, { __proto__: null, value, configurable: true, enumerable: true, writable: true })
const FIELDS = 'at callback args kind timer constructor enumerable get set value done next then message name stack code toJSON refresh length'
function promises() {
  const { then } = Promise.prototype
  Promise.prototype.then = function (...handlers) { note('promise', this); note('handler', handlers[0]); return Reflect.apply(then, this, handlers) }
  define(Promise.prototype, 'constructor', { __proto__: null, configurable: true, get() { note('promise', this); return Promise } })
  return () => { Promise.prototype.then = then; own(Promise.prototype, 'constructor', Promise) }
}
const mend = promises()
await { then(done) { note('what resolves', done); done() } }
export async function f() {
  mend()
  const uses = [
    () => console.log(5), () => console.log('%s %o', 'x', { a: ['b'] }, [1]), () => console.assert(false, 1), () => console.count(), () => console.error(new Error('x').message),
    () => clearTimeout(setTimeout(() => {}, 1, 'x')), () => process.nextTick(() => {}), () => process.hrtime([0, 0]), () => performance.now(),
    () => queueMicrotask(() => {}), () => new Promise((resolve) => setImmediate(resolve, 1)), () => new Error('x').stack, () => process.kill(1),
  ]
  const lists = () => {
    for (let at = 0; at < 12; at += 1) define(Array.prototype, at, { __proto__: null, configurable: true,
      get() { note('list', this); return at % 2 === 0 ? true : evil },
      set(value) { note('list', this); note('element', value); if (this.length <= at) this.length = at + 1 } })
  }
  const fields = () => {
    for (const name of FIELDS.split(' ')) if (!(name in Object.prototype)) define(Object.prototype, name, { __proto__: null, configurable: true,
      get() { note('holder of ' + name, this) }, set(value) { note('holder of ' + name, this); note(name, value); own(this, name, value) } })
  }
  for (const use of uses) {
    for (const tamper of [lists, fields, promises]) {
      const mend = tamper()
      try { await use() } catch {}
      mend?.()
      for (let at = 0; at < 12; at += 1) delete Array.prototype[at]
      for (const name of FIELDS.split(' ')) if (name !== 'constructor') delete Object.prototype[name]
    }
  }
  lists(); fields(); promises()
  return got
}`

test('accessors of its prototypes give a component nothing of the harness', async () => {
  const { results, pids } = await inTurn(ACCESSORS, [[], []])
  expect(results).toEqual([[], []])
  expect(pids[0]).not.toEqual([])
  expect(pids[1]).toEqual(pids[0])
})

const ENDS = {
  'an unfinished timer': 'setTimeout(() => {}, 1e6); return 42',
  'an interval': 'setInterval(() => {}, 5); return 42',
  'a rejection that nothing handles': 'Promise.reject(new Error("x")); await null; return 42',
  'an error after its turn':
    'setTimeout(() => { throw new Error("x") }); await new Promise(() => {})',
  'a call that takes too long': 'for (;;);',
  'a wait without end': 'await new Promise(() => {})',
  'work without end after its answer':
    'let last = Promise.resolve(); const go = () => { last = last.then(go) }; Promise.resolve().then(() => { for (;;) ; }); return 42',
  'log text that Node had to look into': 'console.log(new Map()); return 42',
  'what a component asks of Node': 'Buffer.from("x"); return 42',
  'an import that is made of pieces': 'return eval("im" + "port(\'util\')")',
}

test.each(Object.entries(ENDS))('%s is the last of a process', async (_, body) => {
  const alone = await create({ endMs: 300 })
  const known = sandboxed()
  const source = `export async function f() { ${body} }`
  const scenario = { steps: [{ id: 'f', call: { function: 'f' }, timeoutMs: 300 }] }
  await run({ sandbox: alone, source, scenario })
  await eventually(async () =>
    expect(sandboxed().filter((pid) => !known.includes(pid))).toEqual([]),
  )
  await alone.stop()
})

test('a cancelled run is the last of its process', async () => {
  const alone = await create({})
  const known = sandboxed()
  await run({
    sandbox: alone,
    source: 'export const f = () => new Promise(() => {})',
    signal: AbortSignal.timeout(300),
  })
  await eventually(async () =>
    expect(sandboxed().filter((pid) => !known.includes(pid))).toEqual([]),
  )
  await alone.stop()
})

const OTHERS: Record<string, Partial<Given>> = {
  'another user': { caller: 'other' },
  'another version of the component': { source: `${SOURCE} ` },
  'another environment': {
    environment: {
      ...{ name: 'Stage', baseUrl: null, variables: {}, secrets: {}, allowedHosts: [] },
      runners: ['CALL'],
    },
  },
  'other credentials': { credentials: { userId: 'u', password: 'p' } },
  'another kind of measurement': { useCodeCoverage: false },
}

test.each(Object.entries(OTHERS))('%s gets another process', async (_, given) => {
  const alone = await create({})
  const known = sandboxed()
  const own = () => sandboxed().filter((pid) => !known.includes(pid)).length
  await run({ sandbox: alone, source: SOURCE })
  const one = own()
  await run({ sandbox: alone, source: SOURCE })
  expect(own()).toBe(one)
  await run({ sandbox: alone, source: SOURCE, ...given })
  expect(own()).toBe(2 * one)
  await alone.stop()
})

test('a process waits a short time for its next run, and without reuse none waits', async () => {
  const alone = await create({ reuseIdleMs: 200 })
  const off = await create({}, false)
  const known = sandboxed()
  await run({ sandbox: alone, source: SOURCE })
  await run({ sandbox: off, source: SOURCE })
  while (sandboxed().some((pid) => !known.includes(pid))) await setTimeout(20)
  await Promise.all([alone.stop(), off.stop()])
})

test('rows of a dataset are realms of one process', async () => {
  const alone = await create({})
  const known = sandboxed()
  const outcome = await run({
    sandbox: alone,
    source: 'let runs = 0; export const f = () => (runs += 1)',
    scenario: {
      dataset: { rows: Array.from({ length: ROWS }, (_, at) => ({ at })) },
      steps: [{ id: 'f', call: { function: 'f' }, expect: [{ assert: 'equals', value: 1 }] }],
    },
  })
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
  const used = sandboxed().filter((pid) => !known.includes(pid))
  await run({ sandbox: alone, source: SOURCE })
  expect(used.length * 2).toBe(sandboxed().filter((pid) => !known.includes(pid)).length)
  await alone.stop()
})
