import type { HorizonRepository } from '../position/horizon.repository.ts'
import type { ProcessMetrics } from './process-metrics.ts'

/** Shows how far streams are behind what is stored. @param schema that the horizon is of */
export function watchHorizon(
  metrics: ProcessMetrics,
  schema: string,
  horizon: Pick<HorizonRepository, 'lag'>,
): void {
  metrics.watch(
    {
      name: 'assay_stream_lag_positions',
      help: 'Changes that are numbered and that streams do not show yet, as an earlier one is not committed.',
      labels: ['schema'],
    },
    async () => [{ labels: { schema }, value: (await horizon.lag()).positions }],
  )
  metrics.watch(
    {
      name: 'assay_stream_horizon_age_seconds',
      help: 'For how long one open transaction has held streams back; 0 where none does.',
      labels: ['schema'],
    },
    async () => [{ labels: { schema }, value: (await horizon.lag()).seconds }],
  )
}
