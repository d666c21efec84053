// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are replaced
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

/**
 * Text as XML 1.0 can carry it (section 2.2): everything else becomes U+FFFD. Ampersands are escaped here, as the
 * library leaves those alone that look like a reference, `&#0;` among them.
 */
export const xmlText = (text: string): string =>
  text.toWellFormed().replace(NOT_XML, '\uFFFD').replaceAll('&', '&amp;')

/** Attributes with text made fit; those without a value are left out. */
export function xmlAttributes(
  attributes: Record<string, string | number | null | undefined>,
): Record<string, string> {
  const present = Object.entries(attributes).filter(
    ([, value]) => value !== null && value !== undefined,
  )
  return Object.fromEntries(present.map(([name, value]) => [name, xmlText(String(value))]))
}
