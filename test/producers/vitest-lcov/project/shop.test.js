import { expect, test } from 'vitest'
import { price } from './src/shop.js'
test('price', () => expect(price(2)).toBe(4))
