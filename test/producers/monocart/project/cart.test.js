import { test } from 'node:test'
import assert from 'node:assert'
import { add } from './src/cart.js'
test('adds', () => assert.equal(add(1, 1), 2))
