describe('shop', () => {
  it('adds', () => expect(2 + 2).toBe(4))
  it('fails', () => expect(2).withContext('price differs').toBe(3))
  xit('left out', () => {})
})
describe('cart', () => {
  describe('deep', () => {
    it('adds', () => expect(1).toBe(1))
  })
})
