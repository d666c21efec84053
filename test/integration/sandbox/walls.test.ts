import { text } from 'node:stream/consumers'
import { sandboxCommand } from '../../../subgraphs/test-execution/runners/sandbox/command.ts'
import { createLauncher } from '../../../subgraphs/test-execution/runners/sandbox/launcher.ts'
import {
  createSandbox,
  type Sandbox,
} from '../../../subgraphs/test-execution/runners/sandbox/sandbox.ts'
import { CALL_F, run, withoutNamespaces } from './run.ts'
import { SECRET, startWitnesses, type Witnesses } from './witnesses.ts'

/** What holds when the harness does not: code that runs in its place, with the real process and every module. */
describe('behind the harness', () => {
  const launcher = createLauncher({ diesWithWorker: true })
  let sandbox: Sandbox
  let witnesses: Witnesses

  beforeAll(async () => {
    witnesses = await startWitnesses()
    sandbox = await createSandbox({ mode: 'strict' })
  })
  afterAll(() => Promise.all([witnesses.stop(), launcher.stop()]))
  afterEach(() => expect(witnesses.traces()).toEqual([]))

  const execute = async (body: string) => {
    const source = `const { read, write, port, pid } = ${JSON.stringify(witnesses.known)}
      const out = await (async () => { ${body} })().catch((error) => error.code ?? error.message)
      process.stdout.write(JSON.stringify(out ?? null)); setTimeout(() => process.exit(), 50)`
    const { capabilities, limits } = sandbox
    const child = await launcher.launch(sandboxCommand(capabilities, limits, source))
    const [stdout, { stderr }] = await Promise.all([text(child.stdio), child.exited])
    return stdout || stderr
  }

  test.each([
    ['a file is not read', "(await import('node:fs')).readFileSync(read)", 'ERR_ACCESS_DENIED'],
    [
      'a file is not written',
      "(await import('node:fs')).writeFileSync(write, '')",
      'ERR_ACCESS_DENIED',
    ],
    ['SQLite is not there', "await import('node:sqlite')", 'ERR_UNKNOWN_BUILTIN_MODULE'],
    [
      'no process starts',
      "(await import('node:child_process')).spawnSync('touch', [write])",
      'ERR_ACCESS_DENIED',
    ],
    [
      'no thread starts',
      "new (await import('node:worker_threads')).Worker('', { eval: true })",
      'ERR_ACCESS_DENIED',
    ],
    [
      'no WASI starts',
      "new (await import('node:wasi')).WASI({ version: 'preview1' })",
      'ERR_ACCESS_DENIED',
    ],
    ['no add-on loads', "process.dlopen({ exports: {} }, '/a.node')", 'ERR_DLOPEN_DISABLED'],
    ['a process outside has no number', "process.kill(pid, 'SIGKILL')", 'ESRCH'],
    ['nor has the parent', 'return process.ppid', '0'],
    [
      'the network has no way',
      "const { connect } = await import('node:net'); await new Promise((_, reject) => connect(port, '127.0.0.1').on('error', reject))",
      'ENETUNREACH',
    ],
    ['nor a name', "await (await import('node:dns/promises')).lookup('example.org')", 'EAI_AGAIN'],
  ])('%s', async (_, body, answer) => {
    expect(await execute(body)).toContain(answer)
  })

  test('the environment is empty but for what the shell sets', async () => {
    const environment = await execute('return process.env')
    expect(environment).not.toContain(SECRET)
    expect(
      Object.keys(JSON.parse(environment)).filter((name) => !/^(PWD|OLDPWD|SHLVL|_)$/.test(name)),
    ).toEqual([])
  })
})

describe('where the kernel grants no namespaces', () => {
  const source = 'export const f = () => 42'

  test('strict mode refuses to run code and says why', async () => {
    const sandbox = await createSandbox({ mode: 'strict', detect: withoutNamespaces })
    const outcome = await run({ sandbox, source, scenario: CALL_F })
    expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'SANDBOX_UNAVAILABLE' })
    expect(outcome.message).toContain('no user, network and process namespaces: taken away')
  })

  test('best-effort mode runs it and shows what is missing', async () => {
    const sandbox = await createSandbox({ mode: 'best-effort', detect: withoutNamespaces })
    expect(await run({ sandbox, source })).toMatchObject({ state: 'COMPLETED' })
    expect(sandbox.capabilities).toMatchObject({ network: 'RUNTIME', processes: 'SHARED' })
    await sandbox.stop()
  })
})
