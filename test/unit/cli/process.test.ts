import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { listen, OWN, RUNNING, releases, serve, start } from '../../support/cli/command.ts'

test('a text with ends of lines stays in the line of its event', async () => {
  const event = { id: 'e', severity: 'INFO', status: 'OK', timesSeen: 1, title: 'a\nb' }
  const url = await serve(() => ({ items: [{ ...event, message: 'c\nforged' }] }))
  const { stdout, code } = start(['events', 'list'], url)
  expect(await text(stdout ?? Readable.from([]))).toBe('e  INFO OK ×1  a b: c forged\n')
  expect(await code).toBe(0)
})

test('what asks no product needs no ASSAY_URL', async () => {
  const { stdout, code } = start(['help', 'run'], 'nowhere')
  expect(await text(stdout ?? Readable.from([]))).toContain('Execute a stored scenario')
  expect(await code).toBe(0)
})

test.each([
  ['run', 'g/nofile.testcase.yaml'],
  ['run', 'nofile.suite.json'],
  ['run', 'g/nofolder'],
  ['validate', 'g/nofile.testcase.yaml'],
])('assay %s %s names the path that is not there', async (command, path) => {
  const url = await serve(() => undefined)
  const { stderr, code } = start([command, path], url)
  expect(await stderr).toBe(`assay: ${path}: there is no such file or folder\n`)
  expect(await code).toBe(2)
})

test('a source without its ref is refused', async () => {
  const { stderr, code } = start(['events', 'send', '--title', 'x', '--source', 'db1'], 'http://x')
  expect(await stderr).toContain('--source is db1: expected TYPE/REF')
  expect(await code).toBe(2)
})

test('options that describe one event are refused beside a file', async () => {
  const options = ['--severity', 'CRITICAL', '--tag', 'zz']
  const { stderr, code } = start(['events', 'send', 'no.json', ...options], 'http://x')
  expect(await stderr).toBe(
    'assay: Options describe one event and cannot be used with a file: leave out --severity, --tag, or no.json\n',
  )
  expect(await code).toBe(2)
})

test('a file of events that is not in UTF-8 is refused, unless its mark says UTF-16', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-encoding-'))
  releases.push(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'event.json')
  writeFileSync(file, Buffer.from('{"title":"\xfc"}', 'latin1'))
  const refused = start(['events', 'send', file], 'http://x')
  expect(await refused.stderr).toContain(`${file} is not in UTF-8`)
  expect(await refused.code).toBe(2)
  let sent = ''
  const url = await listen(async (request, response) => {
    sent += await text(request)
    response.writeHead(200, OWN).end('{"result":{"sent":1}}')
  })
  writeFileSync(file, '\uFEFF{"title":"ü"}', 'utf16le')
  expect(await start(['events', 'send', file], url).code).toBe(0)
  expect(sent).toBe('{"title":"ü"}')
})

describe('events that are all refused', () => {
  const result = {
    ...{ sent: 0, success: 'false' },
    errors: [
      { index: 0, message: 'The required field was missing: [title]' },
      { index: 1, message: 'The field has the wrong type: [tags]' },
    ],
  }

  async function sent(events: unknown, options: readonly string[] = []) {
    const folder = mkdtempSync(join(tmpdir(), 'assay-refused-'))
    releases.push(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'events.json')
    writeFileSync(file, JSON.stringify(events))
    const errors = result.errors.slice(0, Array.isArray(events) ? 2 : 1)
    const url = await listen((_request, response) => {
      response.writeHead(400, OWN).end(JSON.stringify({ result: { ...result, errors } }))
    })
    const { stdout, stderr, code } = start(['events', 'send', file, ...options], url)
    return {
      ...{ stdout: await text(stdout ?? Readable.from([])), stderr: await stderr },
      code: await code,
    }
  }

  test('are named one by one', async () => {
    expect(await sent([{ x: 1 }, { title: 'a', tags: 5 }])).toEqual({
      stdout: '0 sent\n',
      stderr:
        'event 0: The required field was missing: [title]\nevent 1: The field has the wrong type: [tags]\n',
      code: 4,
    })
  })

  test('are a result as JSON', async () => {
    const { stdout, code } = await sent([{ x: 1 }, { title: 'a', tags: 5 }], ['--json'])
    expect(JSON.parse(stdout)).toEqual(result)
    expect(code).toBe(4)
  })

  test('have no index where only one was sent', async () => {
    const { stderr, code } = await sent({ x: 1 })
    expect(stderr).toBe('The required field was missing: [title]\n')
    expect(code).toBe(4)
  })
})

test('a stored result shows scenarios that a run skipped or that were flaky', async () => {
  const own = { contextName: 'All', isFlaky: true, isQuarantined: false, state: 'COMPLETED' }
  const skippedScenarios = [{ name: 'Stock', reason: 'It needs login' }]
  const url = await serve((path) =>
    path.startsWith('/graphql')
      ? { data: { executionResult: { ...own, skippedScenarios, testCaseResults: [] } } }
      : { ...RUNNING, state: 'COMPLETED' },
  )
  const { stdout } = start(['results', RUNNING.id], url)
  const shown = await text(stdout ?? Readable.from([]))
  expect(shown).toContain('FLAKY All\nSKIPPED Stock: It needs login\nCOMPLETED: ')
})

describe('two results', () => {
  const member = { ...RUNNING, id: 'm~0', type: 'TEST', contextId: 'a', state: 'COMPLETED' }
  const ended = { ...RUNNING, state: 'COMPLETED', testCaseResults: [member] }
  const failed = { ...ended, testCaseResults: [{ ...member, state: 'FAILED', message: 'no' }] }

  test.each([
    ['the same', 'first', 0, 'The verdicts are the same\n'],
    ['others', 'second', 1, 'a: COMPLETED → FAILED no\n'],
  ])('whose verdicts are %s', async (_, second, expected, shown) => {
    const url = await serve((path) => (path.endsWith('/second') ? failed : ended))
    const { stdout, code } = start(['compare', 'first', second], url)
    expect(await text(stdout ?? Readable.from([]))).toBe(shown)
    expect(await code).toBe(expected)
  })

  test.each([[[]], [['--json']]])('a defect is no verdict, with options %j', async (options) => {
    const url = await serve(() => ({ ...ended, codeCoverage: null }))
    const { stderr, code } = start(['compare', 'first', 'second', ...options], url)
    expect(await stderr).toMatch(/TypeError: .*\bat coverageOf\b/s)
    expect(await code).toBe(70)
  })
})

test('an output that is full is a fault', async () => {
  const url = await serve(() => ({ items: [{ id: 'e', title: 'x' }] }))
  const { code, stderr } = start(['events', 'list'], url, '/dev/full')
  expect(await stderr).toMatch(/^assay: Standard output cannot be written: ENOSPC/)
  expect(await code).toBe(2)
})

describe('once its reader has gone', () => {
  const member = { ...RUNNING, id: 'm~0', type: 'TEST', contextId: 'a', state: 'FAILED' }
  const update = { cursor: 'c', kind: 'LOG', log: ['hello'], step: null, execution: {} }

  /** @param args of a command that writes again and again @returns its exit code */
  async function codeOf(...args: string[]): Promise<number> {
    let isGone = false
    const url = await listen((request, response) => {
      const { url: path = '', method, headers } = request
      response.writeHead(200, OWN)
      if (headers.accept === 'text/event-stream') {
        const data = {
          executionUpdated: update,
          eventReceived: { cursor: 'c', event: { title: 'x' } },
        }
        const next = `event: next\ndata: ${JSON.stringify({ data })}\n\n`
        const timer = setInterval(() => {
          if (isGone && args[0] === 'watch') response.end(`${next}event: complete\n\n`)
          else response.write(next)
        }, 10)
        response.once('close', () => clearInterval(timer))
      } else if (path === '/graphql') response.end('{"data":{"executionResult":null}}')
      else {
        const isEnded = isGone && method === 'GET'
        const ids = isEnded ? ['m~0', 'm~1'] : ['m~0']
        const testCaseResults = ids.map((id) => ({ ...member, id }))
        const state = isEnded ? 'FAILED' : 'RUNNING'
        response.end(JSON.stringify({ ...RUNNING, state, testCaseResults }))
      }
    })
    const { stdout, code } = start(args, url)
    stdout?.once('data', () => {
      stdout.destroy()
      isGone = true
    })
    return code
  }

  test.each([
    ['run', 'all'],
    ['watch', RUNNING.id],
  ])('%s waits and judges', async (...args) => {
    expect(await codeOf(...args)).toBe(1)
  })

  test('other commands end', async () => {
    expect(await codeOf('events', 'tail')).toBe(0)
  })
})

test('events are sent and listed with all their digits', async () => {
  const event = '{"title":"x","count":9007199254740993,"share":0.1234567890123456789}'
  const folder = mkdtempSync(join(tmpdir(), 'assay-events-'))
  releases.push(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'event.json'), event)
  let sent = ''
  const url = await listen(async (request, response) => {
    sent += await text(request)
    response.writeHead(200, OWN).end(`{"result":{"sent":1},"items":[${event}]}`)
  })
  expect(await start(['events', 'send', join(folder, 'event.json')], url).code).toBe(0)
  expect(sent).toBe(event)
  const { stdout } = start(['events', 'list', '--json'], url)
  expect(await text(stdout ?? Readable.from([]))).toBe(`${event}\n`)
})
