import { text } from 'node:stream/consumers'
import { sandboxCommand } from '../../../runner/sandbox/command.ts'
import { createLauncher } from '../../../runner/sandbox/launcher.ts'
import { createSandbox, type Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { CALL_F, run, withoutNamespaces } from './run.ts'
import { startWitnesses, type Witnesses } from './witnesses.ts'

/** Tests the walls that hold when the harness does not: code that runs in its place, with the real process and every module. */
describe('behind the harness', () => {
  const launcher = createLauncher()
  let sandbox: Sandbox
  let witnesses: Witnesses

  beforeAll(async () => {
    witnesses = await startWitnesses()
    sandbox = await createSandbox({ mode: 'strict' })
  })
  afterAll(() => Promise.all([witnesses.stop(), launcher.stop(), sandbox.stop()]))
  afterEach(() => expect(witnesses.traces()).toEqual([]))

  const execute = async (body: string) => {
    const source = `const { read, write, port, pid } = ${JSON.stringify(witnesses.known)}
      const out = await (async () => { ${body} })().catch((error) => error.code ?? error.message)
      ;(await import('node:fs')).writeSync(0, JSON.stringify(out ?? null)); process.exit()`
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
    ['a process outside is not signalled', "process.kill(pid, 'SIGKILL')", 'ENOSYS'],
    ['the parent is one inside', 'return process.ppid', '1'],
    [
      'the network has no way',
      "const { connect } = await import('node:net'); await new Promise((_, reject) => connect(port, '127.0.0.1').on('error', reject))",
      'ENOSYS',
    ],
    ['nor a name', "await (await import('node:dns/promises')).lookup('example.org')", 'EAI'],
  ])('%s', async (_, body, answer) => {
    expect(await execute(body)).toContain(answer)
  })

  test('the environment is empty but for the time zone', async () => {
    const TZ = Intl.DateTimeFormat().resolvedOptions().timeZone
    expect(JSON.parse(await execute('return process.env'))).toEqual({ TZ })
  })
})

describe('where the kernel grants no namespaces', () => {
  const source = 'export const f = () => 42'

  test('strict mode refuses to run code and says why', async () => {
    const sandbox = await createSandbox({ mode: 'strict', detect: withoutNamespaces })
    const outcome = await run({ sandbox, source, scenario: CALL_F })
    expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'SANDBOX_UNAVAILABLE' })
    expect(outcome.message).toContain('user namespace (taken away by the test)')
    await sandbox.stop()
  })

  test('best-effort mode runs it and shows what is missing', async () => {
    const sandbox = await createSandbox({ mode: 'best-effort', detect: withoutNamespaces })
    expect(await run({ sandbox, source })).toMatchObject({ state: 'COMPLETED' })
    await sandbox.stop()
  })
})
