interface Bracket {
  /** Income above this is taxed at `rate`. */
  above: number
  rate: number
}

const BRACKETS: readonly Bracket[] = [
  { above: 0, rate: 0 },
  { above: 12_000, rate: 0.2 },
  { above: 50_000, rate: 0.35 },
  { above: 150_000, rate: 0.42 },
]

/** The tax on a yearly income, and the rate of the last bracket that it reaches. */
export function tax(income: number): { tax: number; marginalRate: number } {
  if (!Number.isFinite(income) || income < 0) {
    throw new RangeError(`income must not be negative: ${income}`)
  }
  let due = 0
  let marginalRate = 0
  for (const [index, { above, rate }] of BRACKETS.entries()) {
    const upTo = BRACKETS[index + 1]?.above ?? Number.POSITIVE_INFINITY
    if (income <= above) break
    due += (Math.min(income, upTo) - above) * rate
    marginalRate = rate
  }
  return { tax: Math.round(due * 100) / 100, marginalRate }
}
