import {
  ALLOWED,
  type ArgumentRule,
  type FilteredArchitecture,
  type SystemCall,
} from './system-calls.ts'

/** Instructions and results of the kernel's classic BPF: linux/bpf_common.h, linux/seccomp.h, linux/audit.h. */
const LOAD = 0x20
const EQUAL = 0x15
const AND = 0x54
const RETURN = 0x06
const ALLOW = 0x7fff_0000
const KILL = 0x8000_0000
const NO_SUCH_CALL = 0x0005_0000 | 38
const AUDIT: Readonly<Record<FilteredArchitecture, number>> = {
  x64: 0xc000_003e,
  arm64: 0xc000_00b7,
}

/** Offsets in struct seccomp_data. Of an argument the lower half counts, as it does to the kernel in the calls we look into. */
const NUMBER = 0
const ARCHITECTURE = 4
const argumentAt = (argument: number) => 16 + 8 * argument

type Instruction = readonly [
  code: number,
  value: number,
  skipWhenTrue?: number,
  skipWhenFalse?: number,
]

export const isFiltered = (architecture: string): architecture is FilteredArchitecture =>
  Object.hasOwn(AUDIT, architecture)

/**
 * The filter that lets through what system-calls.ts names, as the kernel takes it (an array of struct sock_filter). Calls
 * by the numbers of another architecture kill the process; those of x32 are not among the allowed ones.
 */
export function systemCallFilter(architecture: FilteredArchitecture): Buffer {
  const program: Instruction[] = [
    [LOAD, ARCHITECTURE],
    [EQUAL, AUDIT[architecture], 1, 0],
    [RETURN, KILL],
    [LOAD, NUMBER],
    ...Object.values(ALLOWED).flatMap((call) => allow(call, architecture)),
    [RETURN, NO_SUCH_CALL],
  ]
  return Buffer.concat(program.map(encode))
}

function allow({ numbers, rule }: SystemCall, architecture: FilteredArchitecture): Instruction[] {
  const number = numbers[architecture]
  if (number === null) return []
  const granted: Instruction[] = rule ? check(rule) : [[RETURN, ALLOW]]
  return [[EQUAL, number, 0, granted.length], ...granted]
}

function check(rule: ArgumentRule): Instruction[] {
  const [mask, values] =
    'oneOf' in rule
      ? [null, rule.oneOf]
      : 'bits' in rule
        ? [rule.bits, [rule.bits]]
        : [rule.without, [0]]
  return [
    [LOAD, argumentAt(rule.argument)],
    ...(mask === null ? [] : [[AND, mask] as const]),
    ...values.map((value, at): Instruction => [EQUAL, value, values.length - at, 0]),
    [RETURN, NO_SUCH_CALL],
    [RETURN, ALLOW],
  ]
}

function encode([code, value, skipWhenTrue = 0, skipWhenFalse = 0]: Instruction): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(skipWhenTrue, 2)
  bytes.writeUInt8(skipWhenFalse, 3)
  bytes.writeUInt32LE(value >>> 0, 4)
  return bytes
}
