const eq = (a, b) => { if (a !== b) throw Object.assign(new Error(`expected ${a} to equal ${b}`), { name: 'AssertionError', actual: a, expected: b, showDiff: true }) }
describe('cart', () => {
  it('adds', () => eq(1 + 1, 2))
  it('fails', () => eq(1, 2))
  it('throws', () => { throw new TypeError('no price') })
  it.skip('is skipped', () => {})
  it('is pending')
  it('prints', () => { console.log('hello from cart') })
  it('is slow', function (done) { this.timeout(50); setTimeout(done, 500) })
  describe('nested', () => { it('adds', () => eq(2, 2)) })
})
describe('broken', () => {
  before(() => { throw new Error('no database') })
  it('never runs', () => {})
})
