import type { Variables } from './variables.ts'

export const SMTP_VARIABLES = ['SMTP_URL', 'SMTP_FROM', 'SMTP_TLS', 'SMTP_CA'] as const

export interface SmtpSettings {
  /** `smtp://user:password@host:587` or `smtps://` */
  url: string
  /** One address. */
  from: string
  requireTls: boolean
  caFile: string | undefined
}

type Given = Partial<Pick<Variables, (typeof SMTP_VARIABLES)[number]>>

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Faults of settings that belong together. */
export function smtpFaults({ SMTP_URL, SMTP_FROM }: Given): string[] {
  if (!SMTP_URL) return SMTP_FROM ? ['SMTP_FROM needs SMTP_URL'] : []
  const url = URL.canParse(SMTP_URL) ? new URL(SMTP_URL) : null
  const faults: string[] = []
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname)
    faults.push('SMTP_URL: expected smtp://user:password@host:587 or smtps://user:password@host')
  else if (url.protocol === 'smtp:' && url.port === '465')
    faults.push('SMTP_URL: port 465 speaks TLS from the first byte: write smtps:')
  if (!SMTP_FROM || !/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(SMTP_FROM))
    faults.push(
      'SMTP_FROM: expected one address without a name, such as assay@example.com, with SMTP_URL',
    )
  return faults
}

/** @returns undefined without SMTP_URL */
export function smtpSettings({
  SMTP_URL,
  SMTP_FROM = '',
  SMTP_TLS,
  SMTP_CA,
}: Given): SmtpSettings | undefined {
  if (!SMTP_URL) return undefined
  const isLoopback = LOOPBACK.test(new URL(SMTP_URL).hostname)
  const requireTls = SMTP_TLS ? SMTP_TLS === 'required' : !isLoopback
  return { url: SMTP_URL, from: SMTP_FROM, requireTls, caFile: SMTP_CA }
}
