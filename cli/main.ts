import { parseCommand } from './arguments.ts'
import { Client } from './client.ts'
import { CommandError, EXIT, type ExitCode, usageError } from './exit-codes.ts'
import { FileFaults } from './folder/files.ts'
import { createTerminal, harmless, jsonLine, withoutCommands } from './terminal.ts'
import { fileFault } from './text-file.ts'

const DEFAULT_URL = 'http://127.0.0.1:4000'

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<ExitCode> {
  const { env } = process
  const aborted = new AbortController()
  const interrupted = (name: NodeJS.Signals) => {
    unheard()
    aborted.abort(new CommandError(EXIT.cancelled, `Ended by ${name}`))
  }
  /** The next signal ends the process, also where cleaning up takes long. */
  const unheard = () => {
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', interrupted)
  }
  process.on('SIGINT', interrupted)
  process.on('SIGTERM', interrupted)
  let isJudged = false
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    const isEnough = code === 'EPIPE' // of a reader such as `head`
    if (isEnough && isJudged) return
    const fault = new CommandError(EXIT.usage, `Standard output cannot be written: ${message}`)
    process.exit(isEnough ? EXIT.ok : report(fault, isJson))
  })
  process.stderr.on('error', () => {}) // a closed one loses notes alone
  let isJson = args.includes('--json')
  const crashed = (error: unknown) => process.exit(report(error, isJson))
  process.on('uncaughtException', crashed)
  try {
    const { command, args: rest, options } = parseCommand(args)
    isJson = options.json === true
    isJudged = command.isJudged === true
    const terminal = createTerminal({ isJson, env })
    const { signal } = aborted
    const code = await command.run({
      ...{ args: rest, options, terminal, env, signal },
      get client() {
        const url = env.ASSAY_URL || DEFAULT_URL
        return new Client({ url, token: env.ASSAY_TOKEN, signal, onRetry: terminal.note })
      },
    })
    return typeof code === 'number' ? code : EXIT.ok
  } catch (error) {
    return report(error, isJson)
  } finally {
    unheard()
    process.off('uncaughtException', crashed) // a served product has its own
  }
}

/** Says why a command ended. */
function report(error: unknown, isJson: boolean): ExitCode {
  const { message, code, exitCode } = commandErrorOf(error)
  process.stderr.write(
    isJson
      ? jsonLine({ error: { message, code } })
      : `assay: ${withoutCommands(process.env)(harmless(message))}\n`,
  )
  return exitCode
}

/** Shows the stack of a defect of ours: its exit code must not look like a verdict. */
function commandErrorOf(error: unknown): CommandError {
  if (error instanceof CommandError) return error
  if (error instanceof FileFaults) return new CommandError(EXIT.usage, error.message, 'FILE_FAULTS')
  const fault = fileFault(error)
  if (fault) return usageError(fault)
  const stack = error instanceof Error ? error.stack : undefined
  return new CommandError(EXIT.defect, stack ?? String(error))
}
