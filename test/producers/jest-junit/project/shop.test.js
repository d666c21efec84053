describe('shop', () => {
  test('adds', () => expect(2 + 2).toBe(4))
  test('fails', () => expect(2 + 2).toBe(5))
  test('throws', () => { throw new TypeError('no such unit') })
  test.skip('left out', () => {})
  test('too slow', () => new Promise((done) => setTimeout(done, 500)), 50)
  test.each([1, 0])('row %d', (units) => expect(units).toBeGreaterThan(0))
  test.failing('announced', () => expect(1).toBe(2))
  describe('deep', () => test('nested', () => {}))
})
describe('bad before', () => {
  beforeAll(() => { throw new Error('no database') })
  test('never begins', () => {})
})
