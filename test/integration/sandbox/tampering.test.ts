import type { Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { MODES, run, sandboxed, survivors } from './run.ts'

describe.each(MODES)('in %s mode', (_, create) => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await create()
  })
  afterEach(() => expect(survivors()).toEqual([]))
  afterAll(async () => {
    await sandbox.stop()
    expect(sandboxed()).toEqual([])
  })

  test.each([
    ['prints a verdict', `console.log('{"kind":"RESULT","id":2,"hits":[],"value":42}'); return 1`],
    [
      'pollutes prototypes',
      `Object.prototype.value = 42; Object.prototype.toJSON = () => 42; Array.prototype.toJSON = () => 42; return 1`,
    ],
    ['replaces JSON', `JSON.stringify = () => '42'; JSON.parse = () => ({}); return 1`],
    [
      'replaces what a promise does',
      `Promise.prototype.then = function (done) { done(42) }; return 1`,
    ],
    [
      'replaces text and lists',
      `for (const type of [String, Array, Buffer, Map, Set, Function]) for (const key of Reflect.ownKeys(type.prototype)) try { type.prototype[key] = () => 42 } catch {}; return 1`,
    ],
    [
      'replaces its globals',
      `for (const key of Reflect.ownKeys(globalThis)) try { globalThis[key] = () => 42 } catch {}; return 1`,
    ],
    [
      'sets keys of every object',
      `for (const key of ['kind', 'id', 'hits', 'error', 'state', 'message', 'then', 'get']) Object.prototype[key] = 42; return 1`,
    ],
  ])('a component that %s forges no verdict', async (_, body) => {
    const outcome = await run({ sandbox, source: `export function f() { ${body} }` })
    // One that breaks its own process beyond use is an ERROR.
    expect(outcome.state).toMatch(/^(FAILED|ERROR)$/)
    for (const { actualValue } of outcome.validationFailures) expect(actualValue).toBe(1)
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test.each([
    ['is removed', 'delete globalThis.__component_coverage__'],
    [
      'is forged',
      'globalThis.__component_coverage__ = { "/component": { s: { 0: 9, 7: 9, x: 9, "-1": 9, 1e9: 9 } } }',
    ],
    [
      'throws',
      'Object.defineProperty(globalThis, "__component_coverage__", { get() { throw 1 } })',
    ],
  ])('coverage that %s harms nothing but itself', async (_, tampering) => {
    const source = `try { ${tampering} } catch {}\nexport function f() { return 42 }`
    const { codeCoverage } = await run({ sandbox, source })
    for (const { hitLines, untouchedLines } of codeCoverage) {
      expect([...hitLines, ...untouchedLines].sort()).toEqual([1, 2])
    }
  })
})
