import { hostSteps } from '../../../web/src/executions/host-steps.ts'

test.each([
  ['calls and waits', { call: { function: 'quote' } }, false],
  ['a request to the host of the environment', { http: { url: '/orders' } }, true],
  ['an operation, whose default is that host', { graphql: { query: '{ me }' } }, true],
  ['a request elsewhere', { http: { url: 'https://example.com/' } }, false],
  ['a request elsewhere that sends them', { http: { url: 'https://a/', credentials: true } }, true],
  ['a request that sends none', { http: { url: '/', credentials: false } }, false],
  ['a header of its own', { http: { url: '/', headers: { Authorization: 'Bearer a' } } }, false],
  ['a template', { http: { url: '{{env.url}}', credentials: '{{var.any}}' } }, true],
  ['a program', { command: { program: 'curl' } }, true],
  ['a step inside of another', { parallel: { steps: [{ http: { url: '/' } }] } }, true],
])('%s use host credentials or not', (_name, step, uses) => {
  for (const list of ['setup', 'steps', 'teardown'])
    expect(hostSteps({ [list]: [{ id: 'only', ...step }] })).toEqual({ uses, inside: [] })
})

test('scenarios inside of a scenario are named, and what is no scenario uses nothing', () => {
  const steps = [{ scenario: { id: 'a' } }, { parallel: { steps: [{ scenario: { id: 'b' } }] } }]
  expect(hostSteps({ steps })).toEqual({ uses: false, inside: ['a', 'b'] })
  expect(hostSteps(null)).toEqual({ uses: false, inside: [] })
  expect(hostSteps({ steps: 'text' })).toEqual({ uses: false, inside: [] })
})
