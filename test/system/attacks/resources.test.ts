import { setTimeout } from 'node:timers/promises'
import { createSandbox, type Sandbox } from '../../../runner/sandbox/sandbox.ts'
import type { Wall } from '../../../runner/sandbox/walls.ts'
import { run } from '../../integration/sandbox/run.ts'
import {
  type Attack,
  type Attacker,
  createAttacker,
  USERS,
} from '../../support/attacks/attacker.ts'
import { eventually } from '../../support/eventually.ts'

const MEBIBYTE = 1024 * 1024

/** They fork, which the filter forbids: the walls behind it have to hold as well. */
const NO_FILTER: Wall[] = ['filter']

/** A neighbour of the attack, which has to notice nothing. */
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox({ mode: 'strict' })
})
afterAll(() => sandbox.stop())

describe.each(USERS)('native code of a worker that is %s', (user) => {
  let attacker: Attacker
  beforeAll(() => {
    attacker = createAttacker(user, NO_FILTER)
  })
  afterAll(() => attacker.remove())

  const underAttack = async (script: string, judge: (attack: Attack) => Promise<void>) => {
    const attack = await attacker.start(script)
    try {
      const source = 'export const f = () => 42'
      const [outcome] = await Promise.all([run({ sandbox, source }), judge(attack)])
      expect(outcome).toMatchObject({ state: 'COMPLETED' })
    } finally {
      await attack.end()
    }
  }

  const isEndedFor = (expected: string) => async (attack: Attack) => {
    while (attack.reason() === null && attack.pids().length > 0) await setTimeout(10)
    expect(attack.reason()).toBe(expected)
  }

  test('forks no more than it may, and nothing is left of them', async () => {
    await underAttack('while (1) { fork }', async ({ pids }) => {
      await eventually(async () => expect(pids().length).toBeGreaterThan(10))
      await setTimeout(300)
      expect(pids().length).toBeLessThan(40)
    })
  })

  test.each([
    ['10 GB of memory', 'push @all, "x" x 5e7 while 1'],
    [
      'memory spread over processes',
      'for (1..8) { fork or do { $all = "x" x 1e8; sleep 60 } } sleep 60',
    ],
  ])('is ended for %s', async (_, script) => {
    await underAttack(script, isEndedFor('MEMORY_LIMIT'))
  })

  test('is ended for page tables, which no memory of its own needs', async () => {
    const [mmap, madvise] = process.arch === 'x64' ? [9, 28] : [222, 233]
    const script = `$at = syscall(${mmap}, 0, 1 << 40, 1, 0x4022, -1, 0); syscall(${madvise}, $at, 1 << 40, 15);
      for (my $i = 0; $i < 1 << 40; $i += 1 << 21) { unpack('P1', pack('Q', $at + $i)) } sleep 60`
    await underAttack(script, isEndedFor('MEMORY_LIMIT'))
  })

  test('is ended for an endless loop, whatever signals it ignores', async () => {
    const script = '$SIG{$_} = "IGNORE" for qw(TERM INT HUP QUIT XCPU ALRM); 1 while 1'
    const attack = await attacker.start(script, { cpuSeconds: 0.5 })
    await isEndedFor('CPU_LIMIT')(attack)
    await attack.end()
  })

  test.each([
    ['in a session of its own', 'fork and exit'],
    ['forked twice', 'fork and exit; fork and exit'],
  ])('leaves no daemon %s', async (_, fork) => {
    const setsid = process.arch === 'x64' ? 112 : 157
    const script = `$SIG{$_} = "IGNORE" for qw(TERM INT HUP); ${fork}; syscall(${setsid}); fork and exit; sleep 600`
    const start = async (seconds: number): Promise<Attack> => {
      const attack = await attacker.start(`fork or do { ${script} }; sleep ${seconds}`)
      let most = 0
      const until = performance.now() + 1_000 * seconds
      while (most < 2 && (performance.now() < until || attack.pids().length > 0)) {
        most = Math.max(most, attack.pids().length)
        await setTimeout(10)
      }
      return most < 2 ? start(2 * seconds) : attack // it ended before it was seen to fork
    }
    const attack = await start(2)
    while (attack.pids().length > 0) await setTimeout(10) // it ends by itself
    await attack.end().catch(({ code }) => expect(code).toBe('ESRCH'))
  })

  test('finds no folder that keeps a file for a later run', async () => {
    const script = `@folders = ('', '/tmp', '/dev/shm', '/proc');
      while (defined($folder = shift @folders)) {
        print "wrote to $folder/ " if open($f, '>', "$folder/left") or mkdir("$folder/folder");
        opendir($all, "$folder/") or next;
        $seen++, push @folders, "$folder/$_" for grep { !/^\\.\\.?$/ && -d "$folder/$_" } readdir $all }
      print 'looked at ' . ($seen > 1 ? 'every folder' : 'none')`
    expect(await attacker.run(script)).toBe('looked at every folder')
  })

  test('holds no more in memory that is a file than files of that size may hold', async () => {
    const create = process.arch === 'x64' ? 319 : 279
    const script = `for $n (1..100) { $name = "x"; $fd = syscall(${create}, $name, 0); last if $fd < 0;
      open($f[$n], ">&=", $fd); while ($wrote = syswrite($f[$n], "x" x 65536)) { $held += $wrote } } print $held`
    const held = Number(await attacker.run(`$SIG{XFSZ} = "IGNORE"; ${script}`))
    expect(held).toBeGreaterThan(0)
    expect(held).toBeLessThanOrEqual(64 * MEBIBYTE)
  })
})
