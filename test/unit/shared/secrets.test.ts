import { randomBytes } from 'node:crypto'
import { createSecrets } from '../../../subgraphs/shared/secrets.ts'

const secrets = createSecrets(randomBytes(32).toString('base64'))

test('a sealed text opens again, and two seals of it differ', () => {
  const sealed = secrets.seal('geheim ✓')
  expect(secrets.open(sealed)).toBe('geheim ✓')
  expect(secrets.seal('geheim ✓')).not.toBe(sealed)
  expect(sealed).not.toContain('geheim')
})

test('a changed text, another key and a shortened tag do not open', () => {
  const sealed = secrets.seal('secret')
  const [iv = '', tag = '', text = ''] = sealed.split('.')
  const flipped = Buffer.from(text, 'base64')
  flipped[0] = (flipped[0] ?? 0) ^ 1
  expect(() => secrets.open([iv, tag, flipped.toString('base64')].join('.'))).toThrow()
  expect(() => createSecrets(randomBytes(32).toString('base64')).open(sealed)).toThrow()
  const short = Buffer.from(tag, 'base64').subarray(0, 4).toString('base64')
  expect(() => secrets.open([iv, short, text].join('.'))).toThrow()
})
