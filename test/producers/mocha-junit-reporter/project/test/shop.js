const assert = require('node:assert')
describe('shop', () => {
  it('adds', () => assert.equal(2 + 2, 4))
  it('fails', () => assert.equal(2 + 2, 5, 'price of two'))
  it('throws', () => { throw new TypeError('no such unit') })
  it.skip('left out', () => {})
  it('declared')
  it('left out inside', function () { this.skip() })
  it('too slow', function (done) { this.timeout(20) })
  for (const row of [1, 0]) it(`row ${row}`, () => assert.ok(row, 'none'))
  describe('deep', () => it('nested', () => { console.log('printed words') }))
  let tries = 0
  it('flaky', function () { this.retries(1); assert.ok(tries++, 'first try') })
})
describe('bad before', () => {
  before(() => { throw new Error('no database') })
  it('absent', () => {})
})
