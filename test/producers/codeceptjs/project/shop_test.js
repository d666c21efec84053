Feature('Shop')

let tries = 0

Scenario('passes', () => {})
Scenario('fails', () => {
  throw new Error('price differs')
})
Scenario('flaky', { retries: 2 }, () => {
  tries += 1
  if (tries < 3) throw new Error(`not yet, try ${tries}`)
})
Scenario('never', { retries: 1 }, () => {
  throw new Error('no database')
})
Data([1, 2]).Scenario('costs', ({ current }) => {
  if (current === 2) throw new Error('two units')
})
xScenario('left out', () => {})
