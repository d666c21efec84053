/** Condition of the filter on an argument: one of these values, all bits of a mask, or none of them. */
export type ArgumentRule = { argument: number } & (
  | { oneOf: readonly number[] }
  | { bits: number }
  | { without: number }
)

export interface SystemCall {
  /** On x86-64 and on arm64; null where it does not exist. */
  numbers: Readonly<Record<FilteredArchitecture, number | null>>
  rule?: ArgumentRule
}

export type FilteredArchitecture = 'x64' | 'arm64'

/**
 * Every system call that a sandboxed process may make: what a running Node and its threads need, and `execve`, by which
 * Node itself starts. No sockets, mounts, namespaces, new processes, signals to others, shared or anonymous files,
 * tracing, keys, performance counters, BPF or io_uring; any other call does not exist (ENOSYS), as on an older kernel.
 */
export const ALLOWED: Readonly<Record<string, SystemCall>> = {
  // Descriptors it has, and files below its own root.
  ...both({ read: [0, 63], write: [1, 64], readv: [19, 65], writev: [20, 66] }),
  ...both({ pread64: [17, 67], pwrite64: [18, 68], close: [3, 57], lseek: [8, 62] }),
  ...both({ dup: [32, 23], dup2: [33, null], dup3: [292, 24], pipe2: [293, 59], fcntl: [72, 25] }),
  ...both({ openat: [257, 56], newfstatat: [262, 79], fstat: [5, 80], statx: [332, 291] }),
  ...both({ access: [21, null], faccessat: [269, 48], faccessat2: [439, 439] }),
  ...both({ readlink: [89, null], readlinkat: [267, 78], getdents64: [217, 61], getcwd: [79, 17] }),
  ...both({ unlink: [87, null], unlinkat: [263, 35], mkdirat: [258, 34] }),
  ...both({ ftruncate: [77, 46], fallocate: [285, 47], fsync: [74, 82], fdatasync: [75, 83] }),
  // FIONCLEX, FIOCLEX, FIONBIO, FIONREAD, TCGETS, TIOCGWINSZ
  ioctl: only([16, 29], { argument: 1, oneOf: [0x5450, 0x5451, 0x5421, 0x541b, 0x5401, 0x5413] }),
  // Memory.
  // MAP_SHARED and MAP_HUGETLB: such memory is counted for no process, and outlives its unmapping.
  mmap: only([9, 222], { argument: 3, without: 0x4_0001 }),
  ...both({ mprotect: [10, 226], munmap: [11, 215], mremap: [25, 216] }),
  ...both({ madvise: [28, 233], brk: [12, 214], membarrier: [324, 283] }),
  ...both({ pkey_alloc: [330, 289], pkey_free: [331, 290], pkey_mprotect: [329, 288] }),
  // Threads: CLONE_THREAD. What clone3 is asked for no filter can read; the C library then asks `clone`.
  clone: only([56, 220], { argument: 0, bits: 0x10000 }),
  ...both({ futex: [202, 98], set_robust_list: [273, 99], get_robust_list: [274, 100] }),
  ...both({ rseq: [334, 293], set_tid_address: [218, 96], arch_prctl: [158, null] }),
  ...both({ sched_yield: [24, 124], sched_getaffinity: [204, 123], sched_getparam: [143, 121] }),
  ...both({ sched_getscheduler: [145, 120], getcpu: [309, 168] }),
  ...both({ sched_get_priority_max: [146, 125], sched_get_priority_min: [147, 126] }),
  ...both({ rt_sigaction: [13, 134], rt_sigprocmask: [14, 135], rt_sigreturn: [15, 139] }),
  ...both({ sigaltstack: [131, 132], tgkill: [234, 131], restart_syscall: [219, 128] }),
  // PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_CAPBSET_READ, PR_GET_NO_NEW_PRIVS, PR_SET_VMA
  prctl: only([157, 167], { argument: 0, oneOf: [3, 15, 16, 23, 39, 0x53564d41] }),
  // Waiting and clocks.
  ...both({ epoll_create1: [291, 20], epoll_ctl: [233, 21], epoll_wait: [232, null] }),
  ...both({ epoll_pwait: [281, 22], epoll_pwait2: [441, 441], eventfd2: [290, 19] }),
  ...both({ poll: [7, null], ppoll: [271, 73], select: [23, null], pselect6: [270, 72] }),
  ...both({ timerfd_create: [283, 85], timerfd_settime: [286, 86], nanosleep: [35, 101] }),
  ...both({ clock_gettime: [228, 113], clock_getres: [229, 114], clock_nanosleep: [230, 115] }),
  ...both({ gettimeofday: [96, 169], times: [100, 153] }),
  // Identity and end of the process.
  ...both({ getpid: [39, 172], getppid: [110, 173], gettid: [186, 178], getuid: [102, 174] }),
  ...both({ geteuid: [107, 175], getgid: [104, 176], getegid: [108, 177], capget: [125, 90] }),
  ...both({ getrusage: [98, 165], getrlimit: [97, 163], prlimit64: [302, 261] }),
  ...both({ getrandom: [318, 278], uname: [63, 160], sysinfo: [99, 179] }),
  ...both({ execve: [59, 221], exit: [60, 93], exit_group: [231, 94] }),
}

function both(calls: Record<string, [number, number | null]>): Record<string, SystemCall> {
  const entries = Object.entries(calls)
  return Object.fromEntries(
    entries.map(([name, [x64, arm64]]) => [name, { numbers: { x64, arm64 } }]),
  )
}

function only([x64, arm64]: [number, number], rule: ArgumentRule): SystemCall {
  return { numbers: { x64, arm64 }, rule }
}
