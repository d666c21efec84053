import { readFileSync } from 'node:fs'
import { type SandboxCapabilities, wallsOf } from './capabilities.ts'
import type { SandboxLimits } from './sandbox-limits.ts'
import { behindWalls } from './walls.ts'

/** Evaluates to the function that makes the harness' half of a realm, and leaves nothing else in it. */
const REALM = `'use strict';(() => {${['realm-timers.js', 'realm-console.js', 'realm.js'].map(textOf).join('')}
return createRealm })()`

/**
 * The code around the component. It travels as an argument: the child can read no file, not even this one. Nothing that is
 * compiled like this reaches Node's loader, which would import modules with reach for code that it knows. Strict, as a
 * sloppy function is within reach of what it calls, and a sloppy block leaves its functions in the global object.
 */
const HARNESS = `process.getBuiltinModule('vm').runInThisContext(${JSON.stringify(
  `'use strict';{const REALM=${JSON.stringify(REALM)};${textOf('harness.js')}${textOf('harness-modules.js')}}`,
)}, { filename: 'harness' })`

/** The files are parts of one script; only their checks take them for modules. */
function textOf(file: string): string {
  const text = readFileSync(new URL(`./${file}`, import.meta.url), 'utf8')
  return text.replaceAll(/^export /gm, '')
}

/**
 * The command of a sandboxed process: Node behind the walls of the operating system, with a permission model that grants
 * nothing. Whoever starts it adds an empty environment, a process group, and no descriptors but the first three.
 */
export const sandboxCommand = (
  capabilities: SandboxCapabilities,
  limits: SandboxLimits,
  code = HARNESS,
): string[] => behindWalls(wallsOf(capabilities), limits, [...flags(limits), '--eval', code])

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
  '--experimental-vm-modules',
  // Not as CommonJS: its loader takes a third of the start.
  '--input-type=module',
]
