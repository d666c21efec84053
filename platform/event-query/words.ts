/** Severities in rising order. Clients also send other words, which are kept as they are. */
export const SEVERITIES = ['INFO', 'WARN', 'ERROR', 'CRITICAL']
export const STATUSES = ['OPEN', 'CLOSED', 'ACKNOWLEDGED', 'OK']

/** A known word in any case becomes upper case; every other word stays as sent. */
export function normalizeWord(words: readonly string[], sent: string): string {
  const upper = sent.toUpperCase()
  return words.includes(upper) ? upper : sent
}

/** A pattern of LIKE as `normalizeWord` has words: in upper case, to be compared with known words only. */
export const normalizePattern = (like: string): string =>
  like.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())
