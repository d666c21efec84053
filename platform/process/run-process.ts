import { setTimeout as delay } from 'node:timers/promises'
import { ConfigError, type Env, readEnv } from '../settings/env.ts'
import { goneSettings, misspelt } from '../settings/misspelt.ts'
import { startTracing, TRACING_VARIABLES } from '../tracing/start-tracing.ts'
import { withHint } from './hints.ts'
import { createLogger, endLogs } from './logger.ts'
import { openProgram, type Program } from './program.ts'

const ECHO_MS = 500
/** A process that receives a stop signal during its start first ends its start, unless that takes longer. */
const START_GRACE_MS = 30_000
/** Longer than all that is waited for on the way: what then still holds is a fault, and must not hold for ever. */
const STOP_GRACE_MS = 90_000

/** When a process that serves ends with which exit code. */
export const SERVER_EXIT_CODES = {
  0: 'stopped by SIGINT, SIGTERM or SIGHUP; what was accepted is stored',
  1: 'not started, or not stopped in time; the message says why',
} as const

export interface ServerProgram extends Program {
  /** Its name in traces. */
  service: string
}

export interface Running {
  stop(): Promise<void>
}

/**
 * The life of a process: start, wait for SIGINT or SIGTERM, stop, exit 0. SIGHUP, which comes when a terminal closes,
 * is a third one, unless something reloads on it. A wrong configuration, or another fault of the start that the operator
 * can fix, is one message and exit code 1. A second signal ends the process at once, unless it comes so soon that it is
 * the first one's echo: npm passes on the Ctrl-C that the terminal sent us, too.
 */
export function runProcess(
  program: ServerProgram,
  start: (env: Env, args: readonly string[]) => Promise<Running>,
): void {
  // As for the log: a full disk or a reader that is gone must not end the process.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  const started = begin(program, start)
  let stoppingSince: number | null = null
  const log = () => createLogger(process.env.LOG_LEVEL ?? 'info', program.service)
  const stop = async (signal: NodeJS.Signals) => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince < ECHO_MS) return
      log().warn({ signal }, 'Stop forced: what still ran is interrupted')
      return void exit(1)
    }
    stoppingSince = performance.now()
    log().info({ signal }, 'Stop requested: a second signal ends the process at once')
    try {
      const running = await Promise.race([started, delay(START_GRACE_MS)])
      if (!running) throw new Error('The start did not end in time to be stopped')
      const stopped = running.stop().then(() => true)
      if (await Promise.race([stopped, delay(STOP_GRACE_MS)])) return void exit(0)
      throw new Error(
        `The stop did not end within ${STOP_GRACE_MS / 1_000} s; what was accepted is stored`,
      )
    } catch (error) {
      fail(error)
    }
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.on('SIGHUP', (signal) => process.listenerCount(signal) > 1 || void stop(signal))
  const reported = (err: unknown, message: string) => log().error({ err }, message)
  process.on('uncaughtException', (error) => {
    reported(error, 'Failure not caught: the process ends')
    void exit(1)
  })
  // A promise that nothing waits for must not end the process.
  process.on('unhandledRejection', (reason) => reported(reason, 'Failure not waited for'))
  started.catch(fail)
}

async function begin(
  program: ServerProgram,
  start: (env: Env, args: readonly string[]) => Promise<Running>,
): Promise<Running> {
  const reads = [...program.reads, ...TRACING_VARIABLES]
  const { env, args, ignored } = openProgram({ ...program, reads })
  for (const fault of ignored) createLogger('warn').warn(`No effect: ${fault}`)
  for (const found of misspelt(env)) createLogger('warn').warn(found, 'Setting unknown')
  for (const setting of goneSettings(env))
    createLogger('warn').warn({ setting }, 'Setting without effect: it was removed; unset it')
  const stopTracing = await startTracing(env, program.service, () =>
    createLogger(env.LOG_LEVEL ?? 'info', program.service),
  ).catch((error: unknown) => {
    if (error instanceof ConfigError) readEnv(env, reads) // one message lists the faults of other settings, too
    throw error
  })
  const running = await start(env, args)
  return { stop: () => running.stop().finally(stopTracing) }
}

function fail(error: unknown): void {
  const { message, stack } = error as Partial<Error>
  const detail = process.env.LOG_LEVEL === 'debug' && !(error instanceof ConfigError)
  const report = (detail ? stack : message) || String(error)
  process.stderr.write(`${withHint(report, error)}\n`)
  void exit(1)
}

const exit = (code: keyof typeof SERVER_EXIT_CODES): Promise<never> =>
  endLogs().then(() => process.exit(code))
