/** Thousands in groups of three: `1,234` and `1,234.56`. */
const GROUPED = /^(?!0)\d{1,3}(,\d{3})+(\.\d+)?$/
const DECIMAL_COMMA = /^(\d{1,3}(\.\d{3})+|\d+),\d+$/

/**
 * Reads times in seconds as one report writes them. Commas are those of thousands or decimal ones: `1,234` is either, so
 * one time of the report that is surely a decimal comma decides.
 * @param all times of the report
 * @returns a reader, NaN for what is no number
 */
export function secondsReader(all: readonly string[]): (text?: string) => number {
  const isSure = all.some((text) => DECIMAL_COMMA.test(text) && !GROUPED.test(text))
  return (text = '') => {
    const given = text.trim()
    if (DECIMAL_COMMA.test(given) && (isSure || !GROUPED.test(given)))
      return Number(given.replaceAll('.', '').replace(',', '.'))
    if (given === '') return Number.NaN
    return Number(GROUPED.test(given) ? given.replaceAll(',', '') : given)
  }
}
