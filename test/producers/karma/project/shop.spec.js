describe('shop', () => {
  it('adds', () => expect(2 + 2).toBe(4))
  it('fails', () => { expect(2 + 2).withContext('price of two').toBe(5); expect(1).withContext('tax').toBe(2) })
  it('throws', () => { throw new TypeError('no such unit') })
  xit('left out', () => {})
  it('left out inside', () => pending('not now'))
  it('too slow', done => {}, 30)
  for (const row of [1, 0]) it(`row ${row}`, () => expect(row).withContext('none').toBeTruthy())
  describe('deep', () => it('nested', () => { console.log('printed words'); expect(1).toBe(1) }))
})
describe('bad before', () => {
  beforeAll(() => { throw new Error('no database') })
  it('follows', () => expect(1).toBe(1))
})
