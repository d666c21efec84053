// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are replaced
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

/** Text as XML 1.0 can carry it (section 2.2), with its ampersands escaped: everything else becomes U+FFFD. */
export const xmlText = (text: string): string =>
  text.toWellFormed().replace(NOT_XML, '\uFFFD').replaceAll('&', '&amp;')
