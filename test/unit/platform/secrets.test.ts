import { randomBytes } from 'node:crypto'
import { createSecrets } from '../../../platform/secrets.ts'

const newKey = () => randomBytes(32).toString('base64')
const KEY = newKey()
const secrets = createSecrets({ secretsKey: KEY })

test('a sealed text opens again, and two seals of it differ', () => {
  const sealed = secrets.seal('geheim ✓')
  expect(secrets.open(sealed)).toBe('geheim ✓')
  expect(secrets.seal('geheim ✓')).not.toBe(sealed)
  expect(sealed).not.toContain('geheim')
})

test('a changed text, another key and a shortened tag do not open', () => {
  const sealed = secrets.seal('secret')
  const [id, iv = '', tag = '', text = ''] = sealed.split('.')
  const flipped = Buffer.from(text, 'base64')
  flipped[0] = (flipped[0] ?? 0) ^ 1
  expect(() => secrets.open([id, iv, tag, flipped.toString('base64')].join('.'))).toThrow(
    'changed after it was sealed',
  )
  const other = createSecrets({ secretsKey: newKey() })
  expect(() => other.open(sealed)).toThrow(
    `sealed with the key ${id}, which is not the present one`,
  )
  expect(() => other.open([iv, tag, text].join('.'))).toThrow('sealed with another key')
  const short = Buffer.from(tag, 'base64').subarray(0, 4).toString('base64')
  expect(() => secrets.open([id, iv, short, text].join('.'))).toThrow()
  expect(() => secrets.open('plain')).toThrow('not sealed')
})

test('the previous key opens, and the present one seals', () => {
  const before = secrets.seal('secret')
  const [, ...withoutId] = before.split('.')
  const both = createSecrets({ secretsKey: newKey(), previousSecretsKey: KEY })
  for (const sealed of [before, withoutId.join('.'), both.seal('secret')])
    expect(both.open(sealed)).toBe('secret')
  expect([before, withoutId.join('.'), both.seal('x')].map(both.isCurrent)).toEqual([
    false,
    false,
    true,
  ])
})
