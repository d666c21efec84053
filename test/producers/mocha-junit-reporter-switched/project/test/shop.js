const assert = require('node:assert')
describe('shop', () => {
  it('adds', () => assert.equal(2 + 2, 4))
  it('fails', () => assert.equal(2, 3, 'price differs'))
  describe('cart', () => { it('adds', () => {}) })
  describe('after', () => {
    after(() => { throw new Error('cannot close') })
    it('inside', () => {})
  })
  describe('each', () => {
    afterEach(() => { throw new Error('cannot clean') })
    it('inside', () => {})
  })
})
it('root test', () => {})
