import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Assay, startAssay } from '../support/assay.ts'
import { eventually } from '../support/eventually.ts'
import { newRepository, type Repository } from '../support/system/assay-command.ts'

let assay: Assay
let repository: Repository

beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
  repository = await newRepository(assay, { ASSAY_CREDENTIALS: 'ci:secret' })
})

afterAll(async () => {
  await assay.stop()
  repository.remove()
})

const assayCommand: Repository['assay'] = (...given) => repository.assay(...given)
const edit = (name: string, from: string, to: string) =>
  repository.edit(join('scenarios', name), from, to)

describe('scenarios as files', () => {
  test('init makes a folder that is valid and runs without being stored', async () => {
    expect(await assayCommand(['init'])).toMatchObject({ code: 0 })
    expect(await assayCommand(['init'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/exist/),
    })
    expect(await assayCommand(['validate', 'scenarios'])).toMatchObject({ code: 0 })
    const { code, stdout } = await assayCommand(['run', 'scenarios', '--label', 'build=1'])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^COMPLETED price .*\nCOMPLETED: 1 of 1 scenarios COMPLETED/),
    })
    expect(await assayCommand(['run', 'price'])).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/NOT_FOUND/),
    })
  })

  test('apply stores them once, and diff and export agree', async () => {
    const apply = (...more: string[]) => assayCommand(['apply', '-f', 'scenarios', ...more])
    expect((await apply('--dry-run')).stdout).toMatch(/3 created.*nothing was stored/)
    expect((await apply()).stdout).toMatch(/Set scenarios: 3 created/)
    expect((await apply()).stdout).toMatch(/0 created, 0 updated, 3 unchanged/)
    expect(await assayCommand(['diff', '-f', 'scenarios'])).toMatchObject({ code: 0 })
    const ids = ['--id', 'price', '--id', 'smoke']
    expect(await assayCommand(['export', 'exported', ...ids])).toMatchObject({ code: 0 })
    const exported = ['diff', '-f', 'exported', '--set', 'scenarios']
    expect(await assayCommand(exported)).toMatchObject({ code: 0 })
    edit('price.csv', '119', '120')
    const { code, stdout } = await assayCommand(['diff', '-f', 'scenarios'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/~ testcase price/) })
    expect(stdout).toMatch(/- +- gross: 119\n +\+ +- gross: 120/)
  })

  test('a failing run says why, and leaves reports', async () => {
    const coverage = ['--lcov', 'out/lcov.info', '--cobertura', 'out/cobertura.xml']
    const reports = ['--junit', 'out/junit.xml', '--xa', 'out/xa', ...coverage]
    const { code, stdout } = await assayCommand([
      'run',
      'scenarios/price.testcase.yaml',
      ...reports,
    ])
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining(
        'step total (row 0): gross: Expected that $.gross equals 120, but it is 119',
      ),
    })
    expect(repository.read('out/junit.xml')).toContain('failures="1"')
    expect(repository.read('out/lcov.info')).toMatch(/^TN:\nSF:scenarios\/price\.ts\nDA:3,1\n/)
    expect(repository.read('out/cobertura.xml')).toContain(
      'filename="scenarios/price.ts" line-rate="1.0000"',
    )
    expect(repository.read('out/xa/price.xml')).toContain('XaUnitResult')
    edit('price.csv', '120', '119')
  })

  test('validate names the file of each fault', async () => {
    edit('price.testcase.yaml', 'function: total', 'function: totals')
    const { code, stdout } = await assayCommand(['validate', 'scenarios', '--json'])
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 1,
      isValid: false,
      faults: [
        {
          file: 'scenarios/price.testcase.yaml',
          message: expect.stringMatching(/calls totals, which/),
        },
      ],
    })
    edit('price.testcase.yaml', 'function: totals', 'function: total')
  })
})

describe('executions', () => {
  test('coverage below the limit is a failure', async () => {
    const args = ['run', 'loan-schedule', '--fail-under-coverage']
    expect(await assayCommand([...args, '80'])).toMatchObject({ code: 0 })
    expect(await assayCommand([...args, '90'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is 87 %, and 90/),
    })
    expect(await assayCommand([...args, '87.4'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is 8[67]\.\d+ %, and 87\.4/),
    })
  })

  test('results, logs and compare read what ran', async () => {
    const ran = await assayCommand(['run', 'finance', '--json'])
    const first = JSON.parse(ran.stdout)
    expect(first).toMatchObject({ type: 'SUITE', state: 'FAILED' })
    expect(await assayCommand(['results', first.id])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/FAILED tax-table(.|\n)*1 of 2 scenarios COMPLETED/),
    })
    const { stdout: explained } = await assayCommand(['results', first.id])
    expect(explained).toMatch(/ {4}cause: seen once in 1 scenario, no verdict\n/)
    expect(explained).toMatch(/ {4}fails since \S+, this run; last good: none\n/)
    const [member] = first.testCaseResults
    expect((await assayCommand(['logs', member.id])).stdout).toMatch(/INFO Execution {2}A loan/)
    const same = await assayCommand(['compare', first.id, first.id])
    expect(same).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/The verdicts are the same/),
    })
    const listed = await assayCommand(['results', 'finance', '--json'])
    expect(JSON.parse(listed.stdout)).toMatchObject({ id: first.id })
  })

  test('watch follows a suite with its scenarios', async () => {
    const { code, stdout } = await assayCommand(['watch', 'finance'])
    expect(stdout).not.toContain('\u001b')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^RUNNING\n/)
    expect(stdout).toMatch(/\n {2}FAILED Income tax follows this year's table Expected/)
    expect(stdout).toMatch(/\n {6}COMPLETED A dearer loan costs more interest\n/)
  })

  test.each<[string, string[], (command: ChildProcess) => void, number]>([
    ['--timeout', ['--timeout', '1s'], () => {}, 5],
    ['SIGTERM', [], (command) => command.kill('SIGTERM'), 130],
    ['Ctrl-C', [], (command) => command.kill('SIGINT'), 130],
  ])('%s cancels the execution, and leaves its report', async (_, more, act, expected) => {
    const slow = repository.write(
      'slow.testcase.yaml',
      'scenario: { steps: [{ id: a, wait: { ms: 60000 } }] }',
    )
    const args = ['run', 'slow.testcase.yaml', '--junit', 'out/slow.xml', ...more]
    const command = spawn(process.execPath, ['assay.mjs', ...args], {
      cwd: repository.folder,
      env: repository.env,
    })
    let said = ''
    for await (const chunk of command.stderr) {
      const before = said
      said += chunk
      if (!/runs as \S+\n/.test(before) && /runs as \S+\n/.test(said)) act(command)
    }
    const [code] = command.exitCode === null ? await once(command, 'exit') : [command.exitCode]
    expect({ code, said }).toEqual({ code: expected, said: expect.any(String) })
    const [, id = ''] = /runs as (\S+)\n/.exec(said) ?? []
    const { stdout } = await assayCommand(['results', id, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'ERROR',
      message: expect.stringMatching(/assay run: /),
    })
    expect(repository.read('out/slow.xml')).toContain('type="CANCELLED"')
    rmSync(join(repository.folder, slow))
    rmSync(join(repository.folder, 'out/slow.xml'))
  })

  test('Ctrl-C while a suite is followed cancels it, and its teardown runs', async () => {
    const store = (kind: string, body: object) =>
      fetch(`${assay.url}/api/${kind}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: `followed ${kind}`, ...body }),
      })
    const steps = (ms: number) => ({ steps: [{ id: 'pause', wait: { ms } }] })
    await store('testcase', { id: 'endless', scenario: steps(60_000) })
    await store('testcase', { id: 'farewell', name: 'farewell', scenario: steps(1) })
    await store('suite', { id: 'followed', testCases: ['endless'], teardown: 'farewell' })
    const command = spawn(process.execPath, ['assay.mjs', 'run', 'followed', '--follow'], {
      cwd: repository.folder,
      env: repository.env,
    })
    let shown = ''
    for await (const chunk of command.stdout) {
      if (!shown.includes('RUNNING pause')) {
        shown += chunk
        if (shown.includes('RUNNING pause')) command.kill('SIGINT')
      }
    }
    const [code] = command.exitCode === null ? await once(command, 'exit') : [command.exitCode]
    expect({ code, shown }).toEqual({ code: 130, shown: expect.any(String) })
    const ended = async () =>
      expect(
        JSON.parse((await assayCommand(['results', 'followed', '--json'])).stdout),
      ).toMatchObject({
        state: 'ERROR',
        message: expect.stringMatching(/assay run: Ctrl-C/),
        testCaseResults: [
          { contextId: 'endless', state: 'ERROR' },
          { contextId: 'farewell', state: 'COMPLETED' },
        ],
      })
    await eventually(ended)
  })
})

test('events are sent, listed, acknowledged and closed', async () => {
  const event = ['--title', 'Disk full', '--severity', 'CRITICAL', '--source', 'host/db1']
  expect(await assayCommand(['events', 'send', ...event])).toMatchObject({
    code: 0,
    stdout: '1 sent\n',
  })
  const query = ['-q', 'title:"Disk full"', '--json']
  const { id } = JSON.parse((await assayCommand(['events', 'list', ...query])).stdout)
  expect(await assayCommand(['events', 'ack', id])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/CHANGED/),
  })
  expect(await assayCommand(['events', 'close', id])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/CHANGED/),
  })
  expect(await assayCommand(['events', 'send'])).toMatchObject({ code: 2 })
})

test('bash completes commands and options', async () => {
  const script = `source <(${process.execPath} assay.mjs completion bash)
    COMP_WORDS=(assay run --fo); COMP_CWORD=2; _assay; echo "\${COMPREPLY[@]}"
    COMP_WORDS=(assay events ""); COMP_CWORD=2; _assay; echo "\${COMPREPLY[@]}"`
  const { stdout } = await repository.run('bash', ['-c', script])
  expect(stdout).toBe('--follow\nsend list tail ack close\n')
})
