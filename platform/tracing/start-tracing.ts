import { splitList } from '../outbound/cidr.ts'
import type { Logger } from '../process/logger.ts'
import { type Env, readEnv } from '../settings/env.ts'

export const TRACING_VARIABLES = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_SAMPLER_ARG',
] as const

/**
 * Exports traces where the environment names a collector; otherwise nothing is loaded.
 * @param name of the process @returns exports what waits, and stops it
 * @throws ConfigError
 */
export async function startTracing(
  env: Env,
  name: string,
  logFor: () => Logger,
): Promise<() => Promise<void>> {
  const given = readEnv(env, TRACING_VARIABLES)
  if (!given.OTEL_EXPORTER_OTLP_ENDPOINT) return async () => {}
  const { startSdk } = await import('./sdk.ts')
  return startSdk({
    endpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: headersIn(given.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
    service: given.OTEL_SERVICE_NAME ?? name,
    ratio: given.OTEL_TRACES_SAMPLER_ARG,
    log: logFor(),
  })
}

/** As the standard writes them: `name=value` with commas, percent-encoded. */
const headersIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    splitList(text).map((each) => {
      const [name = '', ...value] = each.split('=')
      return [name.trim(), decodeURIComponent(value.join('=').trim())]
    }),
  )
