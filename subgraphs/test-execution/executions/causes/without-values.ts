/** Characters of a message that count; the first lines say what failed, the rest where. */
const LENGTH = 500

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'

/** Parts of a message that differ between equal failures, in the order in which they are replaced. */
const VALUES: readonly (readonly [RegExp, string])[] = [
  // Colours of terminals, which reports of tools keep.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
  [/\u001b\[[\d;]*m/g, ''],
  [/"(?:[^"\\\n]|\\.)*"|`[^`\n]*`|«[^»\n]*»|“[^”\n]*”/g, '<value>'],
  // An apostrophe within a word, as in "isn't", begins none.
  [/(?<![\p{L}\d])'[^'\n]*'(?![\p{L}\d])/gu, '<value>'],
  [/\b(https?:\/\/[^\s/?#]+)[^\s,;)\]]*/g, '$1'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)?(?: ?Z| ?[+-]\d\d:?\d\d)?/g, '<time>'],
  // As in HTTP headers, and as JavaScript, C and people write them.
  [
    new RegExp(
      `\\b(?:${DAY},? )?(?:\\d{1,2}[ -]${MONTH}[ -]\\d{4}|${MONTH} +\\d{1,2},?(?: \\d{4})?)(?:,? \\d\\d:\\d\\d:\\d\\d)?(?: \\d{4})?(?: (?:(?:UTC|GMT)(?:[+-]\\d{4})?|[+-]\\d{4}))?`,
      'g',
    ),
    '<time>',
  ],
  [/\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\b/g, '<time>'],
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi, '<id>'],
  // Words of letters and digits, such as hashes, object ids, ULIDs, parts of cus_9s6XKzkNRiz8i3, and names of pods.
  [
    /(?<![a-z\d])(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{8,}(?:-[a-z\d]{5}(?![a-z\d-]))?(?![a-z\d])/gi,
    '<id>',
  ],
  [/(?<![\p{L}\d.])(?:\d+(?:\.\d+)?(?:ns|µs|ms|s|m|h))+(?![\p{L}\d])/gu, '<duration>'],
  [/(?:(?<![\p{L}\d])[-+])?\d+(?:[.,]\d+)*(?:e[-+]?\d+)?/giu, '#'],
  [/(#|<value>|<id>|<time>)(?:\s*,\s*\1)+/g, '$1'],
  [/\s+/g, ' '],
]

/** A message without numbers, ids, times and quoted values: the same for failures that are alike. */
export const withoutValues = (message: string): string =>
  VALUES.reduce((text, [pattern, by]) => text.replaceAll(pattern, by), beginning(message)).trim()

/** Its first lines, up to a stack trace. */
function beginning(message: string): string {
  const text = message.trim().slice(0, 4 * LENGTH)
  const [trace] = /\n\s*(?:at |Traceback |File "|#\d+ )/.exec(text) ?? []
  return (trace === undefined ? text : text.slice(0, text.indexOf(trace))).slice(0, LENGTH)
}
