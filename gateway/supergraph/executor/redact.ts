/** Takes out of a text of a subgraph what it tells of where the subgraph runs. */
export type Redact = (text: string) => string

// Repetitions that could overlap are bounded: a subgraph may send a text of any length.
const REMOTE =
  /[a-z][a-z\d+.-]{0,30}:\/\/:?[^\s"'`<>.,;:!?)\]}](?:[^\s"'`<>]*[^\s"'`<>.,;:!?)\]}])?/gi
const NAME = String.raw`localhost|[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.(?:internal|lan|local|localhost)`
const IPV4 = String.raw`(?:(?:10|127)(?:\.\d{1,3}){3}|(?:169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)(?:\.\d{1,3}){2}|0\.0\.0\.0)`
const IPV6 = String.raw`(?:::1|::ffff:${IPV4}|f[cd][\da-f]{2}:[\da-f:]{1,40}|fe80:[\da-f:]{1,40})`
const PRIVATE = new RegExp(
  String.raw`(?<![\w.-])(?:${NAME}|${IPV4}|${IPV6}|\[${IPV6}(?:%\w{1,16})?\]):\d{1,5}(?!\d)`,
  'gi',
)
const FILE =
  /(?<![\w.@:/-])\/(?:[\w.@-]+\/)+[\w.@-]+\.[a-z]\w{0,4}(?![\w/])(?::\d+){0,2}|\b[a-z]:\\[^\s"'`<>]+/gi
const STACK = /\r?\n[ \t]+at [^\n]*/g

/** @param given what the client itself sent: an address that it holds stays in the text */
export function redactorOf(given: () => string): Redact {
  let known: string | undefined
  const unlessGiven = (mark: string) => (found: string) => {
    known ??= given().toLowerCase()
    return known.includes(found.toLowerCase().replace(/\/$/, '')) ? found : mark
  }
  return (text) =>
    text
      .replace(STACK, '')
      .replace(REMOTE, unlessGiven('[url]'))
      .replace(PRIVATE, unlessGiven('[address]'))
      .replace(FILE, unlessGiven('[path]'))
}

export const redactAll: Redact = redactorOf(() => '')
