import { type ServedBridge, serveBridge } from '../../support/rest-bridge/served-bridge.ts'

const ARTIFACT = { id: 'nightly', revision: 1, created: '2026-01-31T08:15:00.250Z' }
const artifact = { ...ARTIFACT, updated: ARTIFACT.created, testCases: [] }

let bridge: ServedBridge

beforeAll(async () => {
  bridge = await serveBridge(() => ({ data: { artifact, execute: null } }))
})

afterAll(() => bridge.stop())

const send = (path: string, body: string, type: string, method = 'POST') =>
  fetch(`${bridge.base}${path}`, { method, body, headers: { 'content-type': type } })

const SUITE = `
name: Nightly
maxParallel: 2
testCases: [loan-schedule, tax-table]
`
const input = { name: 'Nightly', maxParallel: 2, testCases: ['loan-schedule', 'tax-table'] }

test.each(['application/yaml', 'application/x-yaml; charset=utf-8', 'text/yaml'])(
  'an artifact is created from %s',
  async (type) => {
    expect((await send('/suite', SUITE, type)).status).toBe(201)
    expect(bridge.asked.at(-1)?.variables).toEqual({ input })
  },
)

test('an artifact is replaced from YAML', async () => {
  expect((await send('/suite/nightly', SUITE, 'application/yaml', 'PUT')).status).toBe(200)
  expect(bridge.asked.at(-1)?.variables).toMatchObject({ input: { ...input, id: 'nightly' } })
})

test('an id that YAML reads as an integer is the one in the path', async () => {
  expect((await send('/suite/77', `id: 77${SUITE}`, 'application/yaml', 'PUT')).status).toBe(200)
  for (const id of ['78', '7.5', 'true', '[77]'])
    expect((await send('/suite/77', `id: ${id}${SUITE}`, 'application/yaml', 'PUT')).status).toBe(
      400,
    )
})

test('an attribute given as null counts as absent, unless there is no such attribute', async () => {
  await send('/suite', `${SUITE}haltAtFailure: null\nsetup: ~\ncolour: ~\n`, 'application/yaml')
  expect(bridge.asked.at(-1)?.variables).toEqual({ input: { ...input, colour: null } })
})

test.each([
  ['what is no YAML', 'name: [', /^The request body is no YAML: .*line 1/],
  [
    'more than one document',
    'name: a\n---\nname: b',
    /^The request body is no YAML: It holds more than one document \(line 2/,
  ],
  ['a list', '- name', /^The request body: expected one object/],
])('%s is refused', async (_, body, message) => {
  const response = await send('/suite', body, 'application/yaml')
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ message: expect.stringMatching(message) })
})

test('a YAML body is not read beyond the limit', async () => {
  const response = await send('/suite', `name: ${'x'.repeat(4 * 1024 * 1024)}`, 'application/yaml')
  expect(response.status).toBe(413)
})

test('other types are refused with those that are taken', async () => {
  const response = await send('/suite', SUITE, 'text/plain')
  expect(response.status).toBe(415)
  expect(await response.json()).toMatchObject({
    message: 'Content-Type: expected application/json or application/yaml',
  })
})
