let runs = 0
jest.retryTimes(2)
describe('after', () => {
  afterAll(() => { throw new Error('cannot close') })
  test('inside', () => {})
})
describe('before', () => {
  beforeAll(() => { throw new Error('no database') })
  test('inside', () => {})
  test('inside 2', () => {})
})
test('flaky', () => expect(++runs).toBe(3))
test.failing('known', () => expect(1).toBe(2))
test.failing('fixed', () => {})
