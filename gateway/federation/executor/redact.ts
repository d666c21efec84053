/** Removes addresses of a subgraph from a text that it sent. */
export type Redact = (text: string) => string

// Repetitions that could overlap are bounded: a subgraph may send a text of any length.
const URL_TEXT =
  /[a-z][a-z\d+.-]{0,30}:\/\/:?[^\s"'`<>.,;:!?)\]}](?:[^\s"'`<>]*[^\s"'`<>.,;:!?)\]}])?/gi
const LABEL = String.raw`[a-z][\w-]{0,62}`
const PRIVATE_NAME = String.raw`(?:${LABEL}\.){1,8}(?:internal|lan|local|svc)(?::\d{1,5})?`
const NAME = String.raw`(?:localhost|(?:${LABEL}\.){1,8}${LABEL}):\d{1,5}`
const IPV4 = String.raw`(?:(?:10|127)(?:\.\d{1,3}){3}|(?:169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)(?:\.\d{1,3}){2}|0\.0\.0\.0)`
const IPV6 = String.raw`(?:::1|::ffff:${IPV4}|f[cd][\da-f]{2}:[\da-f:]{1,40}|fe80:[\da-f:]{1,40})`
const ADDRESS = new RegExp(
  String.raw`(?<![\w.-])(?:${PRIVATE_NAME}|${NAME}|(?:${IPV4}|${IPV6}|\[${IPV6}(?:%\w{1,16})?\]):\d{1,5})(?![\w-])`,
  'gi',
)
/** Names in errors of the system: an address that cannot be reached, or a file. Other words in capitals are no codes. */
const UNREACHABLE =
  'EADDRINUSE|EADDRNOTAVAIL|EAI_AGAIN|ECONNABORTED|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ETIMEDOUT'
const UNUSABLE = 'EACCES|EEXIST|EISDIR|ENOENT|ENOTDIR|EPERM|EROFS'
const UNREACHED = new RegExp(
  String.raw`(?<=\b(?:${UNREACHABLE}) )\[?[\w-]{0,63}[.:][\w.:%-]{1,200}(?:\](?::\d{1,5})?)?`,
  'g',
)
const UNRESOLVED = /(?<=\bgetaddrinfo \w{1,20} )[\w-]{1,63}(?![\w.:-])/g
const UNOPENED = new RegExp(
  String.raw`(?<=\b(?:${UNUSABLE})\b[^'"\n]{0,100}['"])[^'"\n]{1,1000}(?=['"])`,
  'g',
)
const CODE = 'c|cc|cpp|cs|cjs|ex|go|java|js|jsx|kt|mjs|php|py|rb|rs|scala|so|swift|ts|tsx'
const FILE = new RegExp(
  [
    String.raw`(?<![\w.@/-])\/(?:etc|home|opt|proc|root|srv|tmp|usr|var|Users)\/[\w.@+/-]*[\w+-](?::\d+){0,2}`,
    String.raw`(?<![\w.@/-])\/(?:[\w.@-]+\/)*[\w.@-]+\.(?:${CODE})(?![\w/])(?::\d+){0,2}`,
    String.raw`\b[a-z]:\\[^\s"'${'`'}<>]+`,
    String.raw`(?<![\w\\])\\\\[\w.-]+\\[^\s"'${'`'}<>]+`,
  ].join('|'),
  'gi',
)
const STACK = new RegExp(
  String.raw`\r?\n[ \t]+at [^\n]*|(?:^|[ \t])at [^\s()]{1,200} ?\([^()\s]{1,300}\.(?:${CODE}):\d+(?::\d+)?\)`,
  'g',
)

const PARTS: readonly (readonly [RegExp, string])[] = [
  [URL_TEXT, '[url]'],
  [UNREACHED, '[address]'],
  [UNRESOLVED, '[address]'],
  [UNOPENED, '[path]'],
  [FILE, '[path]'],
  [ADDRESS, '[address]'],
]

/** Characters that are looked through for addresses of which the client sent more, or a part. */
const MAX_SEARCHED = 2 ** 26

/** @param given what the client itself sent: an address that it holds stays in the text */
export function redactorOf(given: () => string): Redact {
  let known: { text: string; addresses: ReadonlySet<string> } | undefined
  let left = MAX_SEARCHED
  const isGiven = (found: string): boolean => {
    known ??= addressesIn(given().toLowerCase())
    const { text, addresses } = known
    const wanted = found.toLowerCase().replace(/\/$/, '')
    if (addresses.has(wanted)) return true
    left -= text.length
    if (left < 0) return false
    return text.includes(wanted) || text.includes(JSON.stringify(wanted).slice(1, -1))
  }
  return (text) =>
    PARTS.reduce(
      (left, [part, mark]) => left.replace(part, (found) => (isGiven(found) ? found : mark)),
      text.replace(STACK, ''),
    )
}

/** A message may repeat thousands: to look for each in all that was given would take as often as long. */
function addressesIn(text: string) {
  const addresses = new Set<string>()
  for (const [part] of PARTS)
    for (const [found] of text.matchAll(part)) addresses.add(found.replace(/\/$/, ''))
  return { text, addresses }
}

export const redactAll: Redact = redactorOf(() => '')
