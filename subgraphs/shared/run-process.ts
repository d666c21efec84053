import { ConfigError, type Env } from './env.ts'

export interface Running {
  stop(): Promise<void>
}

/**
 * The life of a process: start, wait for SIGINT or SIGTERM, stop, exit 0. A wrong configuration, or another fault of
 * the start that the operator can mend, is one message and exit code 1. A second signal ends the process at once.
 */
export function runProcess(start: (env: Env) => Promise<Running>): void {
  const started = start(process.env)
  let stopping = false
  const stop = async () => {
    if (stopping) process.exit(1)
    stopping = true
    try {
      await (await started).stop()
      process.exit(0)
    } catch (error) {
      fail(error)
    }
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  started.catch(fail)
}

function fail(error: unknown): never {
  const detail =
    error instanceof Error && !(error instanceof ConfigError) && process.env.LOG_LEVEL === 'debug'
  process.stderr.write(
    `${detail ? error.stack : error instanceof Error ? error.message : String(error)}\n`,
  )
  process.exit(1)
}
