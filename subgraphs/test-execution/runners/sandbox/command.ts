import { readFileSync } from 'node:fs'
import { NAMESPACES, PRIVILEGES, type SandboxCapabilities } from './capabilities.ts'
import type { SandboxLimits } from './limits.ts'

/** The code around the component. It travels as an argument: the child can read no file, not even this one. */
const HARNESS = readFileSync(new URL('./harness.js', import.meta.url), 'utf8')

/**
 * The command of a sandboxed process: limits of the kernel, namespaces where there are any, Node's permission model without
 * a single grant. Whoever starts it adds an empty environment, a process group, and no descriptors but the first three.
 */
export const sandboxCommand = (
  capabilities: SandboxCapabilities,
  limits: SandboxLimits,
  code = HARNESS,
): string[] => [
  ...(capabilities.diesWithWorker ? PRIVILEGES : []),
  ...kernelLimits(limits),
  ...(capabilities.processes === 'OWN' ? NAMESPACES : []),
  process.execPath,
  ...flags(limits),
  '--eval',
  code,
]

const flags = (limits: SandboxLimits) => [
  '--permission',
  // This module opens files on its own, past the permission model.
  '--no-experimental-sqlite',
  '--no-addons',
  '--disable-sigusr1',
  '--no-warnings',
  // A random seed for hashing takes a fifth of the start. Whoever guesses this one slows down its own process, no other.
  '--no-rehash-snapshot',
  `--max-old-space-size=${limits.heapMebibytes}`,
  '--input-type=module',
]

/** No core dumps, no bytes into files; the rest backs up what the worker watches. Blocks are of 1 KiB. */
const kernelLimits = (limits: SandboxLimits) => [
  'sh',
  '-c',
  [
    'ulimit -c 0',
    'ulimit -f 0',
    `ulimit -n ${limits.openFiles}`,
    `ulimit -d ${limits.dataMebibytes * 1024}`,
    `ulimit -t ${limits.cpuSeconds + 5}`,
    'exec "$@"',
  ].join('; '),
  'sh',
]
