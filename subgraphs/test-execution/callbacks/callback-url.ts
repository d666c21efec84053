import type { Secrets } from '../../../platform/secrets.ts'
import type { CallbackTarget } from './callback.ts'

/** Marks the URL of a caller without a sign-in, sealed with it: its deliveries reach public addresses alone. */
const PUBLIC_ONLY = 'public '

/** Seals a URL that was checked. */
export const targetOf = (
  url: URL,
  isPublicOnly: boolean,
  { seal }: Pick<Secrets, 'seal'>,
): CallbackTarget => ({
  receiver: url.origin,
  sealedUrl: seal(isPublicOnly ? PUBLIC_ONLY + url.href : url.href),
})

/** The URL of a target. Those of executions from before migration 008 are not sealed. */
export function urlOf(
  { sealedUrl }: Pick<CallbackTarget, 'sealedUrl'>,
  { open }: Pick<Secrets, 'open'>,
): { url: string; isPublicOnly: boolean } {
  const text = sealedUrl.includes(':') ? sealedUrl : open(sealedUrl)
  const isPublicOnly = text.startsWith(PUBLIC_ONLY)
  return { url: isPublicOnly ? text.slice(PUBLIC_ONLY.length) : text, isPublicOnly }
}
