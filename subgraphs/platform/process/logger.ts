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

/** Lines (characters) that wait for a slow reader of standard output; beyond it they are dropped. */
const WAITING_LINES = 16_777_216

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

let output: ReturnType<typeof pino.destination> | undefined

/** One for all loggers of the process. A reader that is slow must not stop the process, as it does where writes wait. */
function standardOutput() {
  if (output) return output
  const opened = pino.destination({ sync: false, maxLength: WAITING_LINES })
  let dropped = 0
  opened
    .on('drop', () => dropped++)
    .on('drain', () => {
      if (dropped === 0) return
      const lines = dropped
      dropped = 0
      pino(opened).warn({ lines }, 'Log lines were dropped: what reads standard output is too slow')
    })
  output = opened
  return opened
}
