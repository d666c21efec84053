/** Severities in rising order. Clients also send other words, which are kept as they are. */
export const SEVERITIES = ['INFO', 'WARN', 'ERROR', 'CRITICAL']
export const STATUSES = ['OPEN', 'CLOSED', 'ACKNOWLEDGED', 'OK']

export const DEFAULT_SEVERITY = 'INFO'
export const DEFAULT_STATUS = 'OK'

/** A known word in any case becomes upper case; every other word stays as sent. */
export function normalizeWord(words: readonly string[], sent: string): string {
  const upper = sent.toUpperCase()
  return words.includes(upper) ? upper : sent
}

/** Whether `to` is a graver severity than `from`; words without a rank are never graver. */
export const severityRises = (from: string, to: string): boolean =>
  SEVERITIES.includes(from) && SEVERITIES.indexOf(to) > SEVERITIES.indexOf(from)
