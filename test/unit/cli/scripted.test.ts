import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { listen, OWN, RUNNING, releases, start } from '../../support/cli/command.ts'

/** A folder to start the command in. */
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'assay-scripted-'))
  releases.push(() => rmSync(path, { recursive: true }))
  return path
}

const allOf = (stream: Readable | null) => text(stream ?? Readable.from([]))

/** As the product says that something is not there. */
const NOT_FOUND = JSON.stringify({ code: 'NOT_FOUND', message: 'There is none' })

/** @param known paths that are answered with a list, or an object */
const serveKnown = (known: Readonly<Record<string, unknown>>) =>
  listen(({ url = '' }, response) => {
    const path = new URL(url, 'http://x').pathname.replace('/api', '')
    const body = known[path]
    response.writeHead(body === undefined ? 404 : 200, OWN)
    response.end(body === undefined ? NOT_FOUND : JSON.stringify(body))
  })

describe('an id that is not known ends with 4', () => {
  test('results', async () => {
    const none = await serveKnown({ '/result': [] })
    const unknown = start(['results', 'nope'], none)
    expect(await unknown.stderr).toBe(
      'assay: NOT_FOUND: No result, scenario or suite has the id nope\n',
    )
    expect(await unknown.code).toBe(4)
    const stored = await serveKnown({ '/result': [], '/suite/all': { id: 'all' } })
    const known = start(['results', 'all'], stored)
    expect(await known.stderr).toBe('There is no result of all\n')
    expect(await known.code).toBe(0)
  })

  test('export, which writes the others', async () => {
    const stored = { id: 'a.b', name: 'a.b', scenario: { steps: [] } }
    // As a server of the version before, which has no kinds besides.
    const lists = { '/environment': [], '/component': [], '/suite': [] }
    const url = await serveKnown({ ...lists, '/testcase': [stored] })
    const ids = ['--id', 'a', '--id', 'a.b']
    const { stdout, stderr, code } = start(['export', 'out', ...ids], url, undefined, {
      cwd: folder(),
    })
    expect(await allOf(stdout)).toBe('out/a.b.testcase.yaml\n')
    expect(await stderr).toBe('No artifact has the id a\n')
    expect(await code).toBe(4)
  })
})

test('events are sent again under one key after a failure that passes', async () => {
  const keys: unknown[] = []
  const url = await listen((request, response) => {
    keys.push(request.headers['idempotency-key'])
    if (keys.length === 1) response.writeHead(503, { ...OWN, 'retry-after': '1' }).end()
    else if (keys.length === 2) response.destroy()
    else response.writeHead(202, OWN).end('{"result":{"sent":1}}')
  })
  expect(await start(['events', 'send', '--title', 'x'], url).code).toBe(0)
  expect(keys).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)))
  expect(new Set(keys).size).toBe(1)
})

test.each([
  [['results']],
  [['events', 'tail']],
  [['watch', RUNNING.id]],
  [['events', 'send', '--title', 'x']],
])('a server without TLS ends %j at once', async (args) => {
  let attempts = 0
  const url = await listen(
    (_, response) => response.end(),
    () => attempts++,
  )
  const { stderr, code } = start(args, url.replace('http:', 'https:'))
  expect(await stderr).toMatch(
    /^assay: Assay cannot be reached at https:\/\/127\.0\.0\.1:\d+: the server there speaks no TLS; use http:/,
  )
  expect(await code).toBe(3)
  expect(attempts).toBe(1)
})

describe('run --json ends with the result', () => {
  const update = { cursor: 'c', kind: 'STATE', log: null, step: null }
  const ended = { ...RUNNING, state: 'COMPLETED' }

  const product = (isEnded: boolean, onLook = () => {}) =>
    listen((request, response) => {
      const { url = '', method, headers } = request
      response.writeHead(200, OWN)
      if (headers.accept === 'text/event-stream') {
        const execution = { type: 'SUITE', state: 'COMPLETED', progress: {} }
        const data = { executionUpdated: { ...update, execution } }
        const next = `event: next\ndata: ${JSON.stringify({ data })}\n\n`
        response.end(`${next}event: complete\n\n`)
      } else if (url === '/graphql') response.end('{"data":{"executionResult":null}}')
      else if (url.includes('/cancel'))
        response.end(JSON.stringify({ ...RUNNING, state: 'ERROR', message: 'cancelled' }))
      else {
        response.end(JSON.stringify(isEnded && method === 'GET' ? ended : RUNNING))
        if (method === 'GET') onLook()
      }
    })

  const lastOf = async (stdout: Readable | null) =>
    JSON.parse((await allOf(stdout)).trimEnd().split('\n').at(-1) ?? '')

  test('where it is followed', async () => {
    const { stdout, code } = start(['run', 'all', '--json', '--follow'], await product(true))
    expect(await lastOf(stdout)).toEqual(ended)
    expect(await code).toBe(0)
  })

  test('where its time is over', async () => {
    const { stdout, code } = start(
      ['run', 'all', '--json', '--timeout', '100ms'],
      await product(false),
    )
    expect(await lastOf(stdout)).toMatchObject({ id: RUNNING.id, message: 'cancelled' })
    expect(await code).toBe(5)
  })

  test('where Assay refuses to show more, as it began', async () => {
    const url = await listen(({ method }, response) => {
      response.writeHead(method === 'POST' ? 200 : 403, OWN)
      response.end(JSON.stringify(method === 'POST' ? RUNNING : { code: 'FORBIDDEN' }))
    })
    const { stdout, code } = start(['run', 'all', '--json'], url)
    expect(await lastOf(stdout)).toEqual(RUNNING)
    expect(await code).toBe(4)
  })

  test('where SIGTERM ends it', async () => {
    let end = () => {}
    const url = await product(false, () => end())
    const { stdout, stderr, code, kill } = start(['run', 'all', '--json'], url)
    end = () => kill('SIGTERM')
    const shown = lastOf(stdout)
    expect(await shown).toMatchObject({ id: RUNNING.id, message: 'cancelled' })
    expect(await stderr).toContain('{"error":{"message":"Ended by SIGTERM","code":null}}')
    expect(await code).toBe(130)
  })
})

describe('a folder or file of another purpose', () => {
  const product = () => {
    const paths: string[] = []
    const url = listen(({ url: path = '' }, response) => {
      paths.push(path)
      response.writeHead(404, OWN).end(NOT_FOUND)
    })
    return { paths, url }
  }

  test.each(['folder', 'file'])('(%s) does not hide a stored id', async (kind) => {
    const cwd = folder()
    if (kind === 'folder') mkdirSync(join(cwd, 'smoke'))
    else writeFileSync(join(cwd, 'smoke'), '')
    const { paths, url } = product()
    const { code } = start(['run', 'smoke'], await url, undefined, { cwd })
    expect(await code).toBe(4)
    expect(paths).toEqual(['/api/noauth/execute/smoke'])
  })

  test.each(['./smoke', '.'])('is meant by %s', async (path) => {
    const cwd = folder()
    mkdirSync(join(cwd, 'smoke'))
    const { paths, url } = product()
    const { stderr, code } = start(['run', path], await url, undefined, { cwd })
    expect(await stderr).toBe(`assay: There is no scenario to run in ${path}\n`)
    expect(await code).toBe(2)
    expect(paths).toEqual([])
  })
})

describe('- is standard input', () => {
  const SCENARIO = 'kind: testcase\nid: a\nscenario: { steps: [ { id: w, wait: { ms: 1 } } ] }\n'

  /** Gives the command a text. @returns its exit code, and the body of its first POST */
  async function given(args: readonly string[], input: string, answer: object) {
    const bodies: string[] = []
    const url = await listen(async (request, response) => {
      const body = await text(request)
      if (request.method === 'POST') bodies.push(body)
      response.writeHead(200, OWN).end(JSON.stringify(answer))
    })
    const child = start(args, url, undefined, { cwd: folder(), hasInput: true })
    child.stdin?.end(input)
    const [stdout, stderr] = await Promise.all([allOf(child.stdout), child.stderr])
    return { code: await child.code, stdout, stderr, body: JSON.parse(bodies[0] ?? 'null') }
  }

  const artifacts = [
    { kind: 'testcase', id: 'a', scenario: { steps: [{ id: 'w', wait: { ms: 1 } }] } },
  ]

  test('of artifacts that are applied', async () => {
    const applied = { set: 's', dryRun: false, changes: [] }
    const { code, body } = await given(['apply', '-f', '-', '--set', 's'], SCENARIO, applied)
    expect(code).toBe(0)
    expect(body).toMatchObject({ set: 's', artifacts })
  })

  test('of a list that is validated, or run', async () => {
    const list = JSON.stringify([...artifacts, { kind: 'environment', id: 'e', name: 'E' }])
    const valid = await given(['validate', '-'], list, { isValid: true, faults: [] })
    expect(valid).toMatchObject({ code: 0, stdout: '2 artifacts are valid\n' })
    const ended = { ...RUNNING, type: 'TEST', state: 'COMPLETED', data: { executionResult: null } }
    const { code, body } = await given(['run', '-'], list, ended)
    expect(code).toBe(0)
    expect(body).toMatchObject({ contextId: 'a', artifacts: [{ id: 'a' }, { id: 'e' }] })
  })

  test('of what is valid with a warning', async () => {
    const warning = { artifact: 'testcase a', message: 'unknown format "phone" ignored' }
    const valid = { isValid: true, faults: [], warnings: [warning] }
    const { code, stdout, stderr } = await given(['validate', '-'], SCENARIO, valid)
    expect(stderr).toBe('Warning: standard input: unknown format "phone" ignored\n')
    expect(stdout).toBe('1 artifacts are valid\n')
    expect(code).toBe(0)
  })

  test.each([
    ['scenario: {}', 'artifact 0: expected an object with kind'],
    ['[1]', 'artifact 0: expected an object with kind'],
    ['{ kind: testcase', 'it is no YAML'],
  ])('of artifacts that cannot be: %s', async (input, fault) => {
    const { code, stderr } = await given(['apply', '-f', '-'], input, {})
    expect(stderr).toContain(`assay: standard input: ${fault}`)
    expect(code).toBe(2)
  })

  test('of reports and events that are imported', async () => {
    const junit = '<testsuite><testcase name="t"/></testsuite>'
    const ended = { ...RUNNING, state: 'COMPLETED' }
    const imported = await given(['import', 'junit', '-'], junit, ended)
    expect(imported).toMatchObject({ code: 0, body: { name: 'junit', scenarios: [{ name: 't' }] } })
    const events = await given(['import', 'events', '-'], '[{"title":"x"}]', { items: [] })
    expect(events).toMatchObject({ code: 0, body: { items: [{ title: 'x' }] } })
  })

  test('and SIGTERM ends the command while it waits for it', async () => {
    for (const args of [
      ['events', 'send', '-'],
      ['import', 'junit', '-'],
      ['apply', '-f', '-'],
    ]) {
      const child = start([...args, '--json'], 'http://127.0.0.1:9', undefined, { hasInput: true })
      // More than a pipe holds: once it has drained, the command reads.
      const { stdin } = child
      if (stdin?.write(' '.repeat(1_000_000)) === false) await once(stdin, 'drain')
      child.kill('SIGTERM')
      expect(await child.stderr).toContain('Ended by SIGTERM')
      expect(await child.code).toBe(130)
    }
  })
})
