import { type Client, createClient } from '../../bench/client.ts'
import { type Assay, startAssay } from '../../support/assay.ts'
import { eventually } from '../../support/eventually.ts'
import { descendantsOf } from '../../support/process-tree.ts'

/** Name of a process that waits for its next run. */
const KEPT = 'sandbox kept'

/** Takes all that V8 hands out of the harness' realm, and leaves its mark wherever that and its own realm lead. */
const SOURCE = `
let left
export function f() {
  const found = []
  const foreign = []
  Error.prepareStackTrace = new Proxy(function () {}, { apply(_, __, list) { foreign.push(list); return '' } })
  new Error('x').stack
  delete Error.prepareStackTrace
  const deep = () => { try { new Error('x').stack } catch (error) { foreign.push(error) } deep() }
  try { deep() } catch (error) { foreign.push(error) }
  const roots = [globalThis, process, console, setTimeout, JSON, Object.prototype, Function.prototype, Array.prototype]
  for (const value of foreign)
    for (let at = value; at; at = Object.getPrototypeOf(at)) roots.push(at, at.constructor, at.constructor?.prototype)
  if (left) found.push('a variable')
  left = true
  for (const root of roots) {
    if (root === undefined || foreign.includes(root)) continue
    if (Object.hasOwn(root, 'left')) { if (root.left !== mark) found.push(String(root.name ?? typeof root)) }
    try { Object.defineProperty(root, 'left', { value: mark, configurable: true }) } catch {}
    try { root.constructor.constructor('return process')().exit(7) } catch {}
  }
  return found
}
const mark = {}`

let assay: Assay
let client: Client

beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process', env: { SANDBOX: 'strict', LOG_LEVEL: 'info' } })
  client = createClient(assay.url)
  const steps = [{ id: 'f', call: { function: 'f' }, expect: [{ assert: 'equals', value: [] }] }]
  await client.graphql(
    `mutation ($component: CreateComponentInput!, $testCase: CreateTestCaseInput!) {
      createComponent(input: $component) { id } createTestCase(input: $testCase) { id } }`,
    {
      component: { id: 'mark', name: 'mark', sourceCode: SOURCE },
      testCase: { id: 'mark', name: 'mark', componentUnderTest: 'mark', scenario: { steps } },
    },
  )
})
afterAll(() => assay?.stop())

const execute = (user: string) =>
  client.rest<{ state: string; message?: string }>('POST', '/testcase/mark/execute?synchron=true', {
    headers: { credentials: Buffer.from(`${user}:secret`).toString('base64') },
  })

const kept = async () =>
  (await descendantsOf(Object.values(assay.pids))).filter(({ command }) => command.startsWith(KEPT))

test('a component leaves no mark for its next run, and none of its processes gets to another user', async () => {
  // A process waits a few seconds for its next run, which may be too short to see both.
  await eventually(async () => {
    for (const user of ['one', 'two', 'one', 'two', 'one'])
      expect(await execute(user)).toMatchObject({ state: 'COMPLETED' })
    expect(await kept()).toHaveLength(2)
  })
  await eventually(async () => expect(await kept()).toEqual([]))
})
