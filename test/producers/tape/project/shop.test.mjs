import test from 'tape'

test('adds', (t) => {
  t.equal(1 + 1, 2, 'the sum')
  t.end()
})
test('fails', (t) => {
  t.equal(1, 2, 'the price')
  t.deepEqual({ a: 1 }, { a: 2 }, 'the row')
  t.end()
})
test('throws', async () => {
  throw new Error('no such unit')
})
test('left out', { skip: true }, (t) => {
  t.fail('never')
  t.end()
})
test('declared', { todo: true }, (t) => {
  t.fail('not done')
  t.end()
})
test('too slow', { timeout: 50 }, () => {})
test('outer', (t) => {
  t.test('nested', (inner) => {
    inner.ok(true, 'the deep one')
    inner.end()
  })
  t.end()
})
