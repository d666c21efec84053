const { test, expect } = require('@playwright/test')

test('adds', () => expect(2 + 2).toBe(4))
test('passes at last', ({}, { retry }) => expect(retry).toBe(1))
test.describe('deep', () => test('fails the second time', ({}, { repeatEachIndex }) => expect(repeatEachIndex).toBe(0)))
