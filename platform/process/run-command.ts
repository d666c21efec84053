import type { Env } from '../settings/env.ts'
import { misspelt } from '../settings/misspelt.ts'
import { withHint } from './hints.ts'
import { endLogs } from './logger.ts'
import { helpOf, openProgram, type Program } from './program.ts'

/** End of a command, for the terminal and for scripts. */
export interface CommandEnd {
  /** For standard output. */
  text: string
  exitCode: number
}

/** The arguments fit no command: its help is the answer, with exit code 1. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Exit codes of commands that either work or do not. */
export const DONE_OR_NOT = { 0: 'done', 1: 'not done; the message says why' } as const

/** The life of a command that ends by itself. A failure is one message and exit code 1. */
export async function runCommand(
  program: Program,
  run: (args: readonly string[], env: Env) => Promise<CommandEnd>,
): Promise<void> {
  try {
    const { env, args, ignored } = openProgram(program)
    for (const fault of ignored) process.stderr.write(`No effect: ${fault}\n`)
    for (const { setting, nearest } of misspelt(env))
      process.stderr.write(`Setting unknown: ${setting}${nearest ? `; nearest: ${nearest}` : ''}\n`)
    const { text, exitCode } = await run(args, env)
    await endLogs()
    process.stdout.write(text, () => process.exit(exitCode))
  } catch (error) {
    await endLogs()
    const fail = () => process.exit(1)
    if (error instanceof UsageError) process.stdout.write(helpOf(program), fail)
    else process.stderr.write(`${withHint((error as Error).message, error)}\n`, fail) // every failure of ours is an Error
  }
}
