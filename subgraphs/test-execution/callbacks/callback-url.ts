import type { Secrets } from '../../platform/secrets.ts'
import type { CallbackTarget } from './callback.ts'

/** Seals a URL that was checked. */
export const targetOf = (url: URL, { seal }: Pick<Secrets, 'seal'>): CallbackTarget => ({
  receiver: url.origin,
  sealedUrl: seal(url.href),
})

/** The URL of a target. Those of executions from before migration 008 are not sealed. */
export const urlOf = (
  { sealedUrl }: Pick<CallbackTarget, 'sealedUrl'>,
  { open }: Pick<Secrets, 'open'>,
): string => (sealedUrl.includes(':') ? sealedUrl : open(sealedUrl))
