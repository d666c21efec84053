import { readPlaywright } from '../../../formats/results/playwright.ts'

const report = (test: object) =>
  JSON.stringify({ suites: [{ title: 'a.spec.ts', specs: [{ title: 'b', tests: [test] }] }] })
const result = (status: string, message?: string) => ({
  ...{ status, duration: 10, startTime: '2026-01-02T03:04:05.000Z' },
  ...(message && { error: { message }, errors: [{ message }] }),
})

describe('Playwright: its own verdict decides', () => {
  const [failed, timedOut] = [result('failed', 'boom'), result('timedOut', 'slow')]
  const [passed, skipped, interrupted] = ['passed', 'skipped', 'interrupted'].map((each) =>
    result(each),
  )
  test.each([
    ['unexpected', [failed, skipped], 'FAILED', 'boom', 0],
    ['unexpected', [timedOut, skipped], 'FAILED', 'slow', 0],
    ['unexpected', [failed, interrupted], 'FAILED', 'boom', 0],
    ['unexpected', [timedOut, failed, skipped], 'FAILED', 'boom', 1],
    ['unexpected', [], 'FAILED', '', 0],
    ['skipped', [interrupted], 'SKIPPED', 'The run was interrupted', 0],
    ['skipped', [skipped, skipped], 'SKIPPED', '', 0],
    ['flaky', [failed, passed, skipped], 'COMPLETED', '', 1],
    ['flaky', [failed, interrupted, passed], 'COMPLETED', '', 1],
    ['expected', [passed, passed], 'COMPLETED', '', 0],
  ])('%s, case %#', (status, results, state, message, tries) => {
    const [scenario] = readPlaywright(report({ expectedStatus: 'passed', status, results }))
    expect(scenario).toMatchObject({ state, message })
    expect(scenario?.tries).toHaveLength(tries)
  })
})

test('Playwright: what fails as it is expected to is no try', () => {
  const results = [result('failed', 'known'), result('failed', 'known')]
  expect(
    readPlaywright(report({ expectedStatus: 'failed', status: 'expected', results })),
  ).toMatchObject([{ state: 'COMPLETED', message: '', tries: [] }])
})

test('Playwright: a skipped test says why', () => {
  const annotations = [
    { type: 'issue', description: 'SHOP-1' },
    { type: 'skip' },
    { type: 'fixme', description: 'not now' },
  ]
  const results = [{ ...result('skipped'), annotations }]
  expect(
    readPlaywright(report({ expectedStatus: 'skipped', status: 'skipped', results })),
  ).toMatchObject([{ state: 'SKIPPED', message: 'not now' }])
})

test('Playwright: files of a merged report have their names, and no hash', () => {
  const hash = '16130db831eda2c0543ea932c3bb59153eec0612'
  const files = [
    { name: 'error-context', path: `/work/blobs/resources/${hash}.md` },
    { name: 'shot.png', path: `C:\\blobs\\resources\\${hash}.png` },
    { name: 'video', path: '/work/test-results/a/video.webm' },
  ]
  const results = [{ ...result('failed', 'boom'), attachments: files }]
  const [scenario] = readPlaywright(report({ status: 'unexpected', results }))
  expect(scenario?.steps.flatMap((step) => step.files)).toMatchObject([
    { name: 'error-context.md', path: files[0]?.path },
    { name: 'shot.png', path: files[1]?.path },
    { name: '/work/test-results/a/video.webm' },
  ])
})

test('Playwright: all errors of a test, with what it printed', () => {
  const error = {
    message: '\u001b[31mfirst\u001b[39m wrong',
    stack: 'first wrong\n    at a.ts:3:1',
  }
  const errors = [
    { message: 'first wrong' },
    { message: 'second wrong\n\n> 4 | expect()\n    at a.ts:4:1' },
    { message: 'third wrong', location: { file: 'a.ts', line: 5, column: 1 } },
  ]
  const stdout = [{ text: 'hello\n' }, { buffer: Buffer.from('bytes').toString('base64') }]
  const results = [{ ...result('failed'), error, errors, stdout }]
  expect(
    readPlaywright(report({ expectedStatus: 'passed', status: 'unexpected', results })),
  ).toMatchObject([
    {
      message: 'first wrong\n\nsecond wrong\n\nthird wrong',
      log: [
        'hello\nbytes',
        'first wrong\n    at a.ts:3:1',
        'second wrong\n\n> 4 | expect()\n    at a.ts:4:1',
        'third wrong\n    at a.ts:5:1',
      ].join('\n'),
    },
  ])
})

test('Playwright: the log has what earlier tries wrote, and steps those within them', () => {
  const steps = [{ title: 'outer', steps: [{ title: 'inner', error: { message: 'no' } }] }]
  const results = [
    { ...result('failed', 'boom'), stdout: [{ text: 'once' }] },
    { ...result('passed'), stdout: [{ text: 'again' }], steps },
  ]
  expect(
    readPlaywright(report({ expectedStatus: 'passed', status: 'flaky', results })),
  ).toMatchObject([
    {
      log: 'Try 1:\nonce\nboom\nagain',
      steps: [
        { name: 'outer', state: 'COMPLETED' },
        { name: 'inner', state: 'FAILED', message: 'no' },
      ],
    },
  ])
})
