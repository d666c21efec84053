const { test, describe, before } = require('node:test')
const assert = require('node:assert')
test('adds', () => assert.equal(2 + 2, 4))
test('fails', () => assert.equal(2 + 2, 5, 'price of two'))
test('left out', { skip: 'not today' }, () => {})
test('announced', { todo: 'later' }, () => assert.fail('known to fail'))
test('too slow', { timeout: 50 }, () => new Promise((done) => setTimeout(done, 500)))
describe('cart', () => {
  describe('deep', () => {
    test('nested', () => console.log('printed'))
  })
})
describe('bad before', () => {
  before(() => { throw new Error('no database') })
  test('never begins', () => {})
})
