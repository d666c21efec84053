import { AggregatorRegistry, type Registry } from 'prom-client'
import type { App } from '../http/index.ts'
import type { Member, MetricsOfAll, Ready, Start } from './messages.ts'
import { isOf } from './messages.ts'

/** Resolves with the message of the primary to a process that it started. */
export const startMessage = (): Promise<Start> =>
  new Promise((resolve) => {
    const heard = (message: unknown) => {
      if (!isOf<Start>('assay:start', message)) return
      process.off('message', heard)
      resolve(message)
    }
    process.on('message', heard)
  })

/** Reports that this process serves. */
export const reportReady = ({ url, sandbox }: App & Partial<Pick<Ready, 'sandbox'>>): void =>
  void process.send?.({ type: 'assay:ready', url, sandbox } satisfies Ready)

/**
 * The metrics of all processes, each labelled with its number, as text for Prometheus: whichever process is asked.
 * @param registry of this process
 */
export function metricsOfAll(registry: Registry, { number }: Member): () => Promise<string> {
  registry.setDefaultLabels({ process: String(number) })
  AggregatorRegistry.setRegistries(registry)
  new AggregatorRegistry() // lets the primary read the registry
  const waiting = new Map<number, (text: string | undefined) => void>()
  process.on('message', (message) => {
    if (!isOf<MetricsOfAll>('assay:metrics', message)) return
    waiting.get(message.id)?.(message.text)
    waiting.delete(message.id)
  })
  let last = 0
  return async () => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    const id = ++last
    waiting.set(id, resolve)
    process.send?.({ type: 'assay:metrics', id } satisfies MetricsOfAll)
    // A process that does not answer hides the others for a moment only.
    return (await promise) ?? registry.metrics()
  }
}
