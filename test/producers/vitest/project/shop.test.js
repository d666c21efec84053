import { beforeAll, describe, expect, test } from 'vitest'
describe('shop', () => {
  test('adds', () => expect(2 + 2).toBe(4))
  test('fails', () => expect(2 + 2, 'price of two').toBe(5))
  test('fails softly', () => { expect.soft(1).toBe(2); expect.soft(3).toBe(4) })
  test.skip('left out', () => {})
  test.todo('declared')
  test('too slow', () => new Promise((done) => setTimeout(done, 500)), 50)
  test.each([1, 0])('row %d', (units) => expect(units).toBeGreaterThan(0))
  describe('deep', () => test('nested', () => console.log('printed')))
})
describe('bad before', () => {
  beforeAll(() => { throw new Error('no database') })
  test('never begins', () => {})
})
