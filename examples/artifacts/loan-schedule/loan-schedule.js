/** Equal monthly payments that repay a loan with interest; all amounts in cents. */
export function schedule({ principal, annualRatePercent, months }) {
  if (!(principal > 0) || !(months > 0)) {
    throw new RangeError('principal and months must be positive')
  }
  const rate = annualRatePercent / 1200
  const payment = monthlyPayment(principal, rate, months)
  const rows = []
  let balance = principal
  for (let month = 1; month <= months; month++) {
    const interest = Math.round(balance * rate)
    const repayment = month === months ? balance : payment - interest
    balance -= repayment
    rows.push({ month, interest, repayment, balance })
  }
  return { payment, totalInterest: rows.reduce((sum, row) => sum + row.interest, 0), rows }
}

function monthlyPayment(principal, rate, months) {
  if (rate === 0) {
    return Math.round(principal / months)
  }
  return Math.round((principal * rate) / (1 - (1 + rate) ** -months))
}
