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
    process.stdout.isTTY
      ? pretty({ sync: true, ignore: 'pid,hostname' })
      : pino.destination({ sync: true }),
  )
