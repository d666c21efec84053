import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createSandbox, type Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { createClient } from '../../bench/client.ts'
import { CREDENTIALS } from '../../bench/execution.ts'
import { json } from '../../bench/requests.ts'
import { run } from '../../integration/sandbox/run.ts'
import { startAssay } from '../../support/assay.ts'
import { USERS } from '../../support/attacks/attacker.ts'
import {
  createProgramAttacker,
  type ProgramAttacker,
} from '../../support/attacks/program-attacker.ts'
import { eventually } from '../../support/eventually.ts'

/** A neighbour of the attack, which has to notice nothing. */
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox({ mode: 'strict' })
})
afterAll(() => sandbox.stop())

const perl = (script: string) => `exec perl -e '${script}'`
const number = (x64: number, arm64: number) => (process.arch === 'x64' ? x64 : arm64)

describe.each(USERS)('a program of a worker that is %s', (user) => {
  let attacker: ProgramAttacker
  beforeAll(() => {
    attacker = createProgramAttacker(user)
  })
  afterAll(() => attacker.remove())

  /** Runs it to its end, and expects that it leaves no process. */
  async function outcomeOf(shell: string, limits = {}) {
    const { ended, isGone } = await attacker.start(shell, limits)
    const outcome = await ended
    await isGone()
    return outcome
  }

  test('forks no more than it may beside a run that goes on, and nothing is left of it', async () => {
    const processes = 100 // each takes its share of the machine from the tests beside this one
    const attack = await attacker.start(perl('while (1) { fork }'), { processes })
    await eventually(async () => expect(attack.pids().length).toBeGreaterThan(processes / 2))
    const source = 'export const f = () => 42'
    expect(await run({ sandbox, source })).toMatchObject({ state: 'COMPLETED' })
    expect(attack.pids().length).toBeLessThanOrEqual(processes)
    attack.kill()
    await attack.isGone()
  })

  test.each([
    ['10 GB of memory', 'push @all, "x" x 5e7 while 1'],
    ['memory of many processes', 'for (1..8) { fork or do { $x = "x" x 1e8; sleep 60 } } sleep 60'],
    [
      'shared memory',
      `$at = syscall(${number(9, 222)}, 0, 1 << 30, 3, 0x21, -1, 0); $n = $at + 1;
       for ($i = 0; $i < 1 << 30; $i += 4096) { syscall(${number(318, 278)}, $at + $i, 1, 0) } sleep 60`,
    ],
  ])('is ended for %s, within its limit and 2 s', async (_, script) => {
    const { code, written } = await outcomeOf(perl(script), { memoryMebibytes: 300 })
    expect([code, written]).toEqual([125, 'walls: memory: more than 300 MiB\n'])
  })

  test('fills no shared memory of the host, in files or in segments', async () => {
    const fill = perl(
      `open($f, ">", "/dev/shm/full"); while (syswrite($f, "x" x 1e6)) { $held += 1 } print $held;
       shmget(4711, 1e6, 01600) // die; print " shared"`,
    )
    const { written } = await outcomeOf(fill, { memoryMebibytes: 20 })
    expect(written).toMatch(/^2\d shared$/)
    expect(existsSync('/dev/shm/full')).toBe(false)
    expect(keysOfSegments()).not.toContain('4711')
  })

  test('writes no larger file and opens no more files than it may', async () => {
    const limits = { fileMebibytes: 1, openFiles: 20 }
    const write = perl(
      '$SIG{XFSZ} = "IGNORE"; open($f, ">", "big"); 1 while syswrite($f, "x" x 1e5)',
    )
    await outcomeOf(write, limits)
    expect(statSync(join(attacker.folder, 'big')).size).toBeLessThanOrEqual(2 ** 20)
    const open = perl('while (open($f[$n], "<", "/")) { $n += 1 } print $n')
    expect(Number((await outcomeOf(open, limits)).written)).toBeLessThan(20)
  })

  test('makes no namespace, mounts nothing, and leaves its root only to the same files', async () => {
    const attempts = perl(
      `for my $flag (0x10000000, 0x20000, 0x4000000, 0x8000000, 0x20000000, 0x40000000) {
         print "unshared $flag\\n" if syscall(${number(272, 97)}, $flag) == 0 }
       for my $flag (0x10000000, 0x10020000, 0x30000000) {
         my $pid = syscall(${number(56, 220)}, $flag | 17, 0, 0, 0, 0); exit if $pid == 0;
         print "cloned $flag\\n" if $pid > 0 }
       my ($t, $d) = ("tmpfs", "/tmp");
       print "mounted\\n" if syscall(${number(165, 40)}, $t, $d, $t, 0, 0) == 0;
       print "changed the root\\n" if syscall(${number(161, 51)}, $d) == 0;
       print -e "/proc/1/status" && -e "/etc/passwd" ? "end" : "lacks files"`,
    )
    expect((await outcomeOf(attempts)).written).toBe('end')
  })

  test('reads no secret of its worker, and the worker still does', async () => {
    const secrets = join(attacker.folder, 'secrets')
    mkdirSync(secrets)
    const [inFolder, file] = [join(secrets, 'key'), join(attacker.folder, 'key file')]
    for (const path of [inFolder, file]) writeFileSync(path, 'secret')
    symlinkSync(file, join(attacker.folder, 'link'))
    const attempts = `cat secrets/key 'key file' link /proc/self/root/${inFolder} /proc/1/root${inFolder} 2>&1
      umount secrets; umount 'key file'; rm -rf secrets; mv 'key file' other; cat other; ls secrets; echo end`
    const { ended, isGone } = await attacker.start(attempts, {}, [secrets, file, '/no/such'])
    const { written } = await ended
    await isGone()
    expect(written).not.toContain('secret\n')
    expect(written.match(/secret$/gm)).toBeNull()
    expect(written).toMatch(/^end$/m)
    expect(written).toMatch(/No such file/)
    for (const path of [inFolder, file]) expect(readFileSync(path, 'utf8')).toBe('secret')
  })

  test('stops, ends and traces none of the processes that end it', async () => {
    // It stops its process group; what it left in another session continues it, again and again, as it may be early.
    const stop = `setsid sh -c "touch out; while kill -CONT $$ 2>/dev/null; do sleep 0.1; done" &
      until [ -e out ]; do sleep 0.01; done; kill -STOP 0; exit 7`
    expect(await outcomeOf(stop)).toMatchObject({ code: 7 })
    expect(await outcomeOf('kill -KILL 0; sleep 60')).toMatchObject({ signal: 'SIGKILL' })
    const attempts = perl(
      `kill $_, 1 for qw(KILL STOP TERM INT);
       print "traced " if syscall(${number(101, 117)}, 16, 1, 0, 0) == 0;
       print "wrote " if open($f, "+<", "/proc/1/mem");
       print "pid 1 is ", getppid() == 1 ? "there" : "gone"`,
    )
    expect((await outcomeOf(attempts)).written).toBe('pid 1 is there')
  })

  test.each([
    ['in a session of its own', 'setsid sh -c "exec sleep 600" & sleep 0.1'],
    ['forked twice, deaf to signals', '(trap "" TERM HUP INT; setsid sleep 600 &) & sleep 0.1'],
    ['that stops itself', 'setsid sh -c "kill -STOP \\$\\$" & sleep 0.1'],
  ])('leaves no daemon %s', async (_, shell) => {
    expect(await outcomeOf(shell)).toMatchObject({ code: 0 })
    const attack = await attacker.start(`${shell}; sleep 600`)
    await setTimeout(200)
    attack.kill()
    await attack.isGone()
  })

  test('has the memory, threads and files that test programs need', async () => {
    const node = `const { Worker } = require("node:worker_threads");
      new WebAssembly.Memory({ initial: 1, maximum: 65536 });
      const held = Buffer.alloc(500e6, 1);
      for (let i = 0; i < 8; i++) new Worker("0", { eval: true });
      process.stdout.write(String(held.length))`
    const { written } = await outcomeOf(`exec '${process.execPath}' -e '${node}'`)
    expect(written).toBe('500000000')
  })
})

test('a command step reads neither files of secrets nor the data folder of its product', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-secret-'))
  const file = join(folder, 'admin_password')
  writeFileSync(file, 'secret-in-a-file')
  chmodSync(folder, 0o755)
  const assay = await startAssay({ mode: 'in-process', env: { ADMIN_PASSWORD_FILE: file } })
  try {
    const shell = `cat ${file} ${assay.env.DATA_DIR}/keys.json; ls ${assay.env.DATA_DIR}; echo end`
    const steps = [{ id: 'read', command: { program: 'sh', args: ['-c', shell] } }]
    const client = createClient(assay.url)
    const create = (path: string, body: object) => client.rest('POST', path, json(body))
    await create('/environment', { id: 'host', name: 'host', runners: ['COMMAND'] })
    await create('/testcase', {
      id: 'read',
      name: 'read',
      environment: 'host',
      scenario: { steps },
    })
    const headers = { credentials: CREDENTIALS }
    const path = '/testcase/read/execute?synchron=true'
    const { id } = await client.rest<{ id: string }>('POST', path, { headers })
    const log = JSON.stringify(await client.rest('GET', `/result/${id}/details`))
    expect(log).toMatch(/end/)
    expect(log).not.toMatch(/secret-in-a-file|databasePassword|postgres\b/)
  } finally {
    await assay.stop()
    rmSync(folder, { recursive: true })
  }
})

/** Those of the shared memory of System V on this machine. */
const keysOfSegments = (): (string | undefined)[] =>
  readFileSync('/proc/sysvipc/shm', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(' ')[0])
