import { setTimeout as delay } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import { currentTraceId } from '../tracing/trace.ts'

export type { Logger }

/** Names under which secrets travel; pino writes none of their values. */
const SECRET_PATHS = ['credentials', 'password', 'token', 'authorization', 'secret'].flatMap(
  (key) => [key, `*.${key}`],
)

/** PostgreSQL quotes the row that it refused, whatever it holds; such lines are left out. */
function withoutRows(error: Error): object {
  const { detail: _, ...logged } = pino.stdSerializers.err(error)
  const shorten = (text: string) => text.replace(/^ - detail: .*$/gm, '')
  return { ...logged, message: shorten(logged.message), stack: shorten(logged.stack) }
}

/** Every line within a trace says which. */
function traceOf(): { traceId?: string } {
  const traceId = currentTraceId()
  return traceId ? { traceId } : {}
}

/** JSON lines on standard output, or coloured ones where a person looks at a terminal. */
export const createLogger = (level: string, name?: string): Logger =>
  pino(
    {
      level,
      ...(name ? { name } : {}),
      serializers: { err: withoutRows },
      mixin: traceOf,
      redact: { paths: SECRET_PATHS, censor: '[hidden]' },
    },
    process.stdout.isTTY ? pretty({ sync: true, ignore: 'pid,hostname' }) : standardOutput(),
  )

/** One for all loggers of the process: lines of two could mix. */
let opened: LogOutput | undefined
const standardOutput = (): LogOutput => {
  opened ??= openOutput(1)
  return opened
}

export type LogOutput = ReturnType<typeof pino.destination>

/** Lines wait until they are this long together, or for this time. Each write takes a thread. */
const WRITTEN_BYTES = 15_360
const WRITTEN_AFTER_MS = 100

/** Bytes of lines that wait for a slow reader, at most. */
const WAITING_BYTES = 16_777_216

/** Lines wait in memory for their reader: where writes wait, a slow reader stops the process. */
export function openOutput(fd: number, waitingBytes = WAITING_BYTES): LogOutput {
  const output = pino.destination({
    fd,
    sync: false,
    minLength: WRITTEN_BYTES,
    periodicFlush: WRITTEN_AFTER_MS,
    maxLength: waitingBytes,
  })
  let dropped = 0
  output
    .on('drop', () => dropped++)
    .on('drain', () => {
      if (dropped === 0) return
      const lines = dropped
      dropped = 0
      pino(output).warn({ lines }, 'Log lines were dropped: what reads standard output is too slow')
    })
    // A full disk or a reader that is gone must not end the process.
    .on('error', () => {})
  // pino calls it at the exit; where the reader is gone, it would try for ever. `endLogs` comes before.
  output.flushSync = () => {}
  return output
}

/** A reader that is alive takes less. */
const LAST_LINES_MS = 2_000

/** Waits until what was logged is written, before the process ends. */
export const endLogs = (output = opened): Promise<unknown> =>
  Promise.race([
    new Promise<void>((resolve) => (output ? output.flush(() => resolve()) : resolve())),
    delay(LAST_LINES_MS, undefined, { ref: false }),
  ])
