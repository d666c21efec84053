import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Assay, startAssay } from '../support/assay.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client, USERS_ENV } from '../support/e2e/users.ts'
import { eventually } from '../support/eventually.ts'
import { startGate } from '../support/gate.ts'
import { newRepository, type Repository } from '../support/system/assay-command.ts'

const SCOPES = ['artifacts:read', 'artifacts:write', 'executions:run', 'executions:read']

let assay: Assay
let repository: Repository
/** Another server than Assay, which scenarios ask. */
const shop = createServer((request, response) => {
  response.statusCode = request.url === '/order' ? 401 : 200
  response.setHeader('content-type', 'application/json')
  response.end('{"error":"token expired"}')
})
let shopUrl: string

beforeAll(async () => {
  shop.listen(0, '127.0.0.1')
  await once(shop, 'listening')
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}` // it listens on a port
  assay = await startAssay({ mode: 'in-process', env: { ...USERS_ENV, COMMAND_STEPS: 'on' } })
  const { secret } = await new Client(assay.url).token(basic(ADMIN, ADMIN_PASSWORD), SCOPES)
  repository = await newRepository(assay, { ASSAY_TOKEN: secret })
  // Whatever a repository says of its modules, the file runs.
  repository.write('package.json', '{"type":"commonjs"}')
  await repository.assay(['init'])
  repository.write(
    'scenarios/stage.environment.yaml',
    `kind: environment\nname: Stage\nbaseUrl: ${shopUrl}\nrunners: [ HTTP, COMMAND ]\n`,
  )
})

afterAll(async () => {
  shop.close()
  await assay.stop()
  repository.remove()
})

test('a failing request is a failing check: reason, response, annotation and files', async () => {
  repository.write(
    'scenarios/order.testcase.yaml',
    'kind: testcase\nenvironment: stage\nscenario: { steps: [ { id: order, http: { url: /order, json: { sku: a1 } } } ] }\n',
  )
  const args = ['run', 'scenarios', '--junit', 'out/report.xml', '--attachments', 'out/files']
  const { code, stdout, stderr } = await repository.assay(args, { GITHUB_ACTIONS: 'true' })
  expect(code).toBe(1)
  expect(stdout).toContain('step order: no error status: Expected that $.status is less than 400')
  expect(stdout).toContain(`order: POST ${shopUrl}/order → 401 after `)
  expect(stdout).toContain('\n      {"error":"token expired"}\n')
  expect(stdout).toContain(
    '::error file=scenarios/order.testcase.yaml,line=1,title=order%2C step order::Expected',
  )
  const [, page = ''] = /See (\S+)\n/.exec(stderr) ?? []
  expect((await fetch(page, { headers: { accept: 'text/html' } })).status).toBe(200)
  const report = repository.read('out/report.xml')
  const [, file = ''] = /\[\[ATTACHMENT\|(out\/files\/[^\]]+\/order\.http)\]\]/.exec(report) ?? []
  expect(repository.read(file)).toMatch(
    /^POST .*\/order\n[\s\S]*\{"sku":"a1"\}[\s\S]*# 401 after \d+ ms\n/,
  )
  expect(report).toContain('{"error":"token expired"}')
})

test('a program leaves files, also where it fails', async () => {
  repository.write(
    'scenarios/page.testcase.yaml',
    `kind: testcase\nenvironment: stage\nscenario:
  steps: [ { id: page, command: { program: sh, args: [ -c, "printf shot > a.png; exit 1" ], attach: [ "*.png" ] } } ]\n`,
  )
  const args = ['run', 'scenarios/page.testcase.yaml', '--junit', 'p.xml', '--attachments', 'files']
  expect(await repository.assay(args)).toMatchObject({ code: 1 })
  const [, file = ''] =
    /\[\[ATTACHMENT\|(files\/[^\]]+\/a\.png)\]\]/.exec(repository.read('p.xml')) ?? []
  expect(repository.read(file)).toBe('shot')
})

test('npm installs the command from the product, for npx', async () => {
  const install = ['install', '--no-audit', '--no-fund', `${assay.url}/api/assay.tgz`]
  // No registry: what bundles components is optional.
  const offline = { npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0' }
  expect(await repository.run('npm', install, offline)).toMatchObject({ code: 0 })
  const { code, stdout } = await repository.run('npx', ['assay', 'init', 'by-npx'], offline)
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('Run it: npx assay run by-npx'),
  })
  const twice = await Promise.all([1, 2].map(() => fetch(`${assay.url}/api/assay.tgz`)))
  const [first, second] = await Promise.all(twice.map((each) => each.bytes()))
  expect(first).toEqual(second)
})

test.each<[string, string[], Record<string, string>, number, RegExp]>([
  [
    'no such command',
    ['runn'],
    {},
    2,
    /no command runn\. Did you mean run\? See node assay\.mjs help/,
  ],
  [
    'no such second word',
    ['events', 'lst'],
    {},
    2,
    /no command events lst\. Did you mean events list\?/,
  ],
  ['an unknown option', ['run', 'x', '--folow'], {}, 2, /'--folow'\. Did you mean --follow\? See/],
  [
    'too few arguments',
    ['run'],
    {},
    2,
    /Expected an id, a file, a folder or --failed RESULT\. See assay run --help/,
  ],
  [
    'a label without a value',
    ['run', 'x', '--label', 'y'],
    {},
    2,
    /--label is y: expected NAME=VALUE/,
  ],
  ['a limit of none', ['results', '--limit', '0'], {}, 2, /--limit is 0: expected a number from 1/],
  [
    'a filter that is no JSON',
    ['results', '--filter', '{a'],
    {},
    2,
    /--filter is \{a: expected a JSON/,
  ],
  [
    'a file that cannot be written',
    ['schema', '-o', 'no/x'],
    {},
    2,
    /no\/x: there is no such file/,
  ],
  [
    'a file that is not there',
    ['import', 'junit', 'no.xml'],
    {},
    2,
    /no\.xml: there is no such file/,
  ],
  ['a folder for a file', ['import', 'lcov', 'scenarios'], {}, 2, /scenarios: it is a folder/],
  [
    'a folder without a report',
    ['import', 'junit', 'scenarios'],
    {},
    2,
    /scenarios has no file of this format/,
  ],
  [
    'no report',
    ['import', 'junit', 'assay.mjs'],
    {},
    2,
    /^assay: assay\.mjs is no JUnit XML: [^\n]+\n$/,
  ],
  ['a folder that is there', ['init'], {}, 2, /price\.component\.yaml exists; nothing was written/],
  [
    'no such id',
    ['results', 'gone'],
    {},
    4,
    /NOT_FOUND: No result, scenario or suite has the id gone/,
  ],
  ['no such file', ['validate', 'gone'], {}, 2, /gone: there is no such file or folder/],
  ['no such result', ['logs', 'gone'], {}, 4, /NOT_FOUND: No execution result has the id gone/],
  [
    'no token',
    ['results'],
    { ASSAY_TOKEN: '' },
    4,
    /needs executions:read\. Set ASSAY_TOKEN to an API token; make one at http/,
  ],
  [
    'a wrong token',
    ['results'],
    { ASSAY_TOKEN: 'x' },
    4,
    /ASSAY_TOKEN is wrong, expired or revoked/,
  ],
  [
    'a scope that is missing',
    ['events', 'send', '--title', 'x'],
    {},
    4,
    /it needs events:write\. The role/,
  ],
  ['no URL', ['results'], { ASSAY_URL: 'here' }, 2, /ASSAY_URL is here/],
  [
    'no server',
    ['events', 'ack', 'x'],
    { ASSAY_URL: 'http://127.0.0.1:1' },
    3,
    /cannot be reached at http:\/\/127\.0\.0\.1:1: .*Start it, or set ASSAY_URL/,
  ],
])('%s is answered with what to do', async (_, args, env, code, message) => {
  const ended = await repository.assay(args, env)
  expect(ended).toMatchObject({ code, stderr: expect.stringMatching(message) })
  expect(ended.stderr).not.toMatch(/\n {4}at /)
  const asJson = await repository.assay([...args, '--json'], env)
  expect(asJson.code).toBe(code)
  if (code > 1)
    expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { message: expect.any(String) } })
})

test('another server is not taken for Assay', async () => {
  expect(await repository.assay(['results'], { ASSAY_URL: shopUrl })).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/is not Assay: it answered HTTP 200 with application\/json/),
  })
})

test('every command shows its help as text and as JSON', async () => {
  const { stdout } = await repository.assay(['help', '--json'])
  const { commands } = JSON.parse(stdout) as { commands: { name: string }[] }
  expect(commands.length).toBeGreaterThan(20)
  expect((await repository.assay(['events', 'ack', '--help'])).stdout).toMatch(
    /^Acknowledge events/,
  )
})

test('Ctrl-C while the server is away ends at once, without a stack', async () => {
  const command = spawn(process.execPath, ['assay.mjs', 'results'], {
    cwd: repository.folder,
    env: { ...repository.env, ASSAY_URL: 'http://127.0.0.1:1' },
  })
  let said = ''
  command.stderr.on('data', (chunk) => {
    said += chunk
    if (!command.killed && /Trying again/.test(said)) command.kill('SIGINT')
  })
  expect(await once(command, 'close')).toEqual([130, null])
  expect(said).toMatch(
    /^http:\/\/127\.0\.0\.1:1: .*Trying again in 0\.5 s\n.*assay: Ended by SIGINT\n$/s,
  )
})

test('a reader that closes its end is no fault', async () => {
  const script =
    'node assay.mjs schema | head -1; echo $PIPESTATUS; node assay.mjs run scenarios 2>&- | tail -1'
  const { stdout } = await repository.run('bash', ['-c', script])
  expect(stdout).toMatch(/^\{\n0\n(FAILED|ERROR): /)
})

test('a terminal shows a bar with colours, and NO_COLOR one without', async () => {
  /** Two scenarios that go on until their gate is opened. */
  const inTerminal = async (command: string, env = {}) => {
    const gate = await startGate()
    const { timeoutMs } = gate.step('a')
    repository.write(
      'slow/held.environment.yaml',
      `kind: environment\nname: Held\nbaseUrl: ${gate.url}\nrunners: [ HTTP ]\n`,
    )
    for (const name of ['one', 'two'])
      repository.write(
        `slow/${name}.testcase.yaml`,
        `kind: testcase\nenvironment: held\nscenario: { steps: [ { id: a, timeoutMs: ${timeoutMs}, http: { url: / } } ] }\n`,
      )
    const inside = `stty cols 100; node assay.mjs ${command}`
    const terminal = spawn('script', ['-qec', inside, '/dev/null'], {
      cwd: repository.folder,
      env: { ...repository.env, TERM: 'xterm', ...env },
    })
    let said = ''
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    const closed = once(terminal, 'close')
    return {
      gate,
      shows: (pattern: RegExp) => eventually(async () => expect(said).toMatch(pattern)),
      async ended() {
        gate.open()
        const [code] = await closed
        await gate.stop()
        return { code, said }
      },
    }
  }
  const watching = await inTerminal('watch slow')
  await watching.gate.letOneThrough()
  await watching.shows(/█{12}.*░{12}.* 1 of 2 /)
  const watched = await watching.ended()
  expect(watched.code).toBe(0)
  expect(watched.said).toContain('\u001b[32mCOMPLETED\u001b[39m: 2 of 2 scenarios')
  const running = await inTerminal('run slow', { NO_COLOR: '1' })
  await running.shows(/░{24} 0 of 2 RUNNING/)
  expect((await running.ended()).said).not.toContain('\u001b[3')
})

test('watching a result with a token ends with its verdict, and Ctrl-C leaves it alone', async () => {
  repository.write(
    'long.testcase.yaml',
    'kind: testcase\nscenario: { steps: [ { id: a, wait: { ms: 600000 } } ] }\n',
  )
  const ran = spawn(process.execPath, ['assay.mjs', 'run', 'long.testcase.yaml'], {
    cwd: repository.folder,
    env: repository.env,
  })
  const [note] = (await once(ran.stderr, 'data')) as [Buffer]
  const [, id = ''] = /runs as (\S+)\n/.exec(note.toString()) ?? []
  const watching = spawn(process.execPath, ['assay.mjs', 'watch', id], {
    cwd: repository.folder,
    env: repository.env,
  })
  const [first] = (await once(watching.stdout, 'data')) as [Buffer]
  expect(first.toString()).toMatch(/^RUNNING\n/)
  watching.kill('SIGINT')
  expect(await once(watching, 'close')).toEqual([130, null])
  const { stdout } = await repository.assay(['results', id, '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ state: 'RUNNING' })
  const again = repository.assay(['watch', id])
  expect(await repository.assay(['cancel', id, '--reason', 'enough'])).toMatchObject({ code: 0 })
  expect(await again).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/\nERROR: 0 of 1 scenarios COMPLETED, result /),
  })
  if (ran.exitCode === null) await once(ran, 'close')
})
