const RATES = { CHF: 0.95, JPY: 161.5, USD: 1.08 }
/** Digits behind the point, where they are not two. */
const DIGITS = { JPY: 0 }

/** Fixes the rates of a day. */
export function openDay(date) {
  console.log('%s opens with %d rates', date, Object.keys(RATES).length)
  return { date, rates: RATES }
}

/** Amount that somebody gets for euros, rounded to the smallest unit of the currency. */
export function exchange({ euros, currency, rates }) {
  const rate = rates[currency]
  if (rate === undefined) {
    throw new RangeError(`no rate for ${currency}`)
  }
  const unit = 10 ** (DIGITS[currency] ?? 2)
  return { currency, amount: Math.round(euros * rate * unit) / unit }
}

export function closeDay(date) {
  console.log('%s is closed', date)
  return { date, isOpen: false }
}
