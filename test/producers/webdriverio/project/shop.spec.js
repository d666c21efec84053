import assert from 'node:assert'

let tries = 0
describe('shop', () => {
  it('adds', () => assert.equal(2 + 2, 4))
  it('throws', () => {
    throw new Error('no such \u001b[31munit\u001b[0m <&> \u0007')
  })
  it.skip('left out', () => {})
  it('leaves itself out', function () {
    this.skip()
  })
  it('passes at last', function () {
    this.retries(2)
    tries += 1
    if (tries < 3) throw new Error(`try ${tries}`)
  })
  it('fails always', function () {
    this.retries(1)
    throw new Error('always')
  })
  for (const row of [1, 2]) it('row', () => assert.equal(row, 2))
  it('too slow', () => new Promise((done) => setTimeout(done, 1_000)))
  describe('deep', () => it('adds', () => {}))
})
describe('bad before', () => {
  before(() => {
    throw new Error('no database')
  })
  it('never', () => {})
})
after(() => {
  throw new Error('cannot close')
})
