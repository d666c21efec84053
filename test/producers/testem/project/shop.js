QUnit.module('shop', () => {
  QUnit.test('adds', (assert) => assert.equal(2 + 2, 4))
  QUnit.test('fails', (assert) => { assert.equal(2, 3, 'price differs'); assert.ok(false, 'and more') })
  QUnit.test('errors', () => { throw new Error('no unit <x>') })
  QUnit.skip('left out', () => {})
  QUnit.todo('known', (assert) => assert.ok(false))
  QUnit.todo('fixed', (assert) => assert.ok(true))
  QUnit.test.each('rows', [1, 2], (assert, x) => assert.equal(x, 1))
  QUnit.module('before', { before() { throw new Error('no database') } }, () => {
    QUnit.test('inside', (assert) => assert.ok(true))
    QUnit.test('inside 2', (assert) => assert.ok(true))
  })
})
