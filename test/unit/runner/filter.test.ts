import { isFiltered, systemCallFilter } from '../../../runner/sandbox/filter.ts'

const X64 = 0xc000_003e
const ARM64 = 0xc000_00b7
const ALLOW = 0x7fff_0000
const KILL = 0x8000_0000
const ENOSYS = 0x0005_0026

/** Verdict of the kernel: its classic BPF, as far as the filter uses it. */
function judge(filter: Buffer, architecture: number, number: number, args: number[] = []): number {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(number, 0)
  data.writeUInt32LE(architecture, 4)
  args.forEach((value, at) => void data.writeBigUInt64LE(BigInt(value), 16 + 8 * at))
  let accumulator = 0
  for (let at = 0; ; at += 1) {
    const code = filter.readUInt16LE(at * 8)
    const value = filter.readUInt32LE(at * 8 + 4)
    if (code === 0x06) return value
    if (code === 0x20) accumulator = data.readUInt32LE(value)
    else if (code === 0x54) accumulator = (accumulator & value) >>> 0
    else if (code === 0x15) at += filter.readUInt8(at * 8 + (accumulator === value ? 2 : 3))
    else throw new Error(`Instruction ${code}`)
  }
}

const x64 = (number: number, ...args: number[]) => judge(systemCallFilter('x64'), X64, number, args)

const ALLOWED: [string, number, ...number[]][] = [
  ['read', 0],
  ['mmap of private memory', 9, 0, 4096, 3, 0x22],
  ['futex', 202],
  ['clone of a thread', 56, 0x3d0f00],
  ['prctl(PR_SET_NAME)', 157, 15],
  ['ioctl(FIONBIO)', 16, 3, 0x5421],
  ['the last one, exit_group', 231],
]

test.each(ALLOWED)('%s is allowed', (_, number, ...args) => {
  expect(x64(number, ...args)).toBe(ALLOW)
})

const REFUSED: [string, number, ...number[]][] = [
  ['clone of a process', 56, 17],
  ['clone of a user namespace', 56, 0x1000_0000],
  ['mmap of shared memory', 9, 0, 4096, 3, 0x21],
  ['mmap of huge pages', 9, 0, 4096, 3, 0x4_0022],
  ['clone3', 435],
  ['fork', 57],
  ['vfork', 58],
  ['socket', 41],
  ['socketpair', 53],
  ['connect', 42],
  ['sendmsg', 46],
  ['kill', 62],
  ['tkill', 200],
  ['setsid', 112],
  ['ptrace', 101],
  ['process_vm_readv', 310],
  ['mount', 165],
  ['fsopen', 430],
  ['unshare', 272],
  ['setns', 308],
  ['chroot', 161],
  ['bpf', 321],
  ['io_uring_setup', 425],
  ['perf_event_open', 298],
  ['keyctl', 250],
  ['userfaultfd', 323],
  ['shmget', 29],
  ['msgget', 68],
  ['memfd_create', 319],
  ['seccomp', 317],
  ['pidfd_open', 434],
  ['open_by_handle_at', 304],
  ['prctl(PR_SET_PDEATHSIG)', 157, 1],
  ['prctl(PR_SET_DUMPABLE)', 157, 4],
  ['ioctl(TIOCSTI)', 16, 0, 0x5412],
  ['read, by its number of x32', 0x4000_0000],
  ['a call that does not exist yet', 600],
]

test.each(REFUSED)('%s is not', (_, number, ...args) => {
  expect(x64(number, ...args)).toBe(ENOSYS)
})

test('calls of another architecture end the process', () => {
  expect(judge(systemCallFilter('x64'), 0x4000_0003, 0)).toBe(KILL)
  expect(judge(systemCallFilter('arm64'), X64, 63)).toBe(KILL)
})

test('arm64 has its own numbers', () => {
  const arm64 = (number: number, ...args: number[]) =>
    judge(systemCallFilter('arm64'), ARM64, number, args)
  expect([arm64(63), arm64(220, 0x3d0f00), arm64(220, 17), arm64(198)]).toEqual([
    ALLOW,
    ALLOW,
    ENOSYS,
    ENOSYS,
  ])
  expect(isFiltered('arm64')).toBe(true)
  expect(isFiltered('riscv64')).toBe(false)
})
