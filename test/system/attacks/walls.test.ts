import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { DEFAULT_PROGRAM_LIMITS } from '../../../runner/sandbox/sandbox-limits.ts'
import {
  commandBehindWalls,
  STARTER,
  WALLS,
  type Wall,
  wallsOfThisUser,
} from '../../../runner/sandbox/walls.ts'
import { type Attacker, createAttacker, USERS } from '../../support/attacks/attacker.ts'

const MACHINE_CODE = readFileSync(
  new URL('../../support/attacks/machine-code.js', import.meta.url),
  'utf8',
)
const NATIVE = readFileSync(new URL('../../support/attacks/native.pl', import.meta.url), 'utf8')

let folder: string
let servers: Server[]
let victim: ChildProcess
let connections = 0
let known: string[]

/** Prepares a worker's machine: a file, a folder to write to, sockets of each kind, a process. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'host-'))
  // As weak as it gets: what holds is the wall, not the mode of a file.
  chmodSync(folder, 0o777)
  const [secret, socket] = [join(folder, 'secret'), join(folder, 'socket')]
  const abstract = `attacked-${process.pid}`
  writeFileSync(secret, 'canary', { mode: 0o666 })
  const listen = async (address: string | undefined) => {
    const server = createServer(() => {
      connections += 1
    })
    server.listen(address === undefined ? { port: 0, host: '127.0.0.1' } : { path: address })
    await once(server, 'listening')
    return server
  }
  const tcp = await listen(undefined)
  servers = [tcp, await listen(socket), await listen(`\0${abstract}`)]
  chmodSync(socket, 0o777)
  victim = spawn('sleep', ['600'])
  const { port } = tcp.address() as AddressInfo // it listens on a port
  known = [process.arch, secret, socket, join(folder, 'written'), port, abstract, victim.pid].map(
    String,
  )
})

afterAll(async () => {
  victim.kill('SIGKILL')
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true })
})

afterEach(() => {
  expect(connections).toBe(0)
  expect(readdirSync(folder).sort()).toEqual(['secret', 'socket'])
  expect([victim.exitCode, victim.signalCode]).toEqual([null, null])
})

const WITHOUT: [string, Wall[]][] = [
  ['behind all walls', []],
  ['where the system has no filter of system calls', ['filter']],
]

describe.each(USERS)('native code of a worker that is %s', (user) => {
  describe.each(WITHOUT)('%s', (_, without) => {
    let attacker: Attacker
    beforeAll(() => {
      attacker = createAttacker(user, without)
    })
    afterAll(() => attacker.remove())

    test('reaches no file, no socket, no process and no right of the host', async () => {
      const hasFilter = without.length === 0 ? ['yes'] : []
      expect(await attacker.run(NATIVE, [...known, ...hasFilter])).toBe('end\n')
    })
  })
})

describe.each(USERS)(
  'a component of a worker that is %s, past harness and permission model,',
  (user) => {
    const attack = async (without: readonly Wall[]) => {
      const attacker = createAttacker(user, without)
      const answer = await attacker.runInNode(MACHINE_CODE, known.slice(1))
      attacker.remove()
      return answer.split('\n')
    }
    const ran = process.arch === 'x64' ? ['ran machine code'] : []

    test('reaches nothing with the modules of Node and machine code of its own', async () => {
      expect(await attack([])).toEqual([...ran, 'end', ''])
    })
  },
)

test('no memory is had that is counted for no process', async () => {
  const attacker = createAttacker('an ordinary user')
  const mmap = process.arch === 'x64' ? 9 : 222
  const script = `for my $flags (0x22, 0x21, 0x3, 0x40022) { print syscall(${mmap}, 0, 4096, 3, $flags, -1, 0) == -1 ? 'no ' : 'yes ' }`
  expect(await attacker.run(script)).toBe('yes no no no ')
  attacker.remove()
})

test('nothing starts for a worker that has ended meanwhile', async () => {
  const ended = spawn('true')
  await once(ended, 'exit')
  const folder = mkdtempSync(join(tmpdir(), 'started-'))
  const started = join(folder, 'started')
  const behind = { walls: wallsOfThisUser(), limits: DEFAULT_PROGRAM_LIMITS, hidden: [] }
  const [program = '', ...args] = commandBehindWalls(behind, folder, ['touch', started])
  const command = args.map((arg) => (arg.startsWith(STARTER) ? `${STARTER}${ended.pid}` : arg))
  const child = spawn(program, command, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  child.stdio[3]?.on('error', () => {})
  child.stdio[3]?.destroy()
  expect(await once(child, 'exit')).toEqual([125, null])
  expect(existsSync(started)).toBe(false)
  rmSync(folder, { recursive: true })
})

describe('without a wall the same attacks show what they reach:', () => {
  afterEach(async () => {
    while (connections === 0) await setTimeout(10)
    connections = 0
    for (const left of ['written', 'written.socket']) rmSync(join(folder, left), { force: true })
  })

  test('native code', async () => {
    const attacker = createAttacker('an ordinary user', ['net', 'filter'])
    const answer = await attacker.run(NATIVE, known)
    attacker.remove()
    expect(answer.split('\n')).toContain('connected to a port')
  })

  test('modules of Node, and machine code in it', async () => {
    const attacker = createAttacker('an ordinary user', Object.keys(WALLS) as Wall[]) // its own keys
    const reached = (await attacker.runInNode(MACHINE_CODE, known.slice(1))).split('\n')
    attacker.remove()
    const files = ['read the secret', 'wrote a file', 'listened on the host']
    expect(reached).toEqual(expect.arrayContaining([...files, 'connected to a port']))
    if (process.arch === 'x64') expect(reached).toContain('opened the secret by machine code')
  })
})
