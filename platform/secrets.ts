import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/** The keys of an installation: 32 bytes in Base64. */
export interface SecretsKeys {
  /** SECRETS_KEY: seals and opens. */
  secretsKey: string
  /** SECRETS_KEY_PREVIOUS: opens what was sealed before the key was changed. */
  previousSecretsKey?: string | undefined
}

/**
 * Encrypts what must not lie in the database in clear (AES-256-GCM). A sealed text is `keyId.iv.tag.ciphertext`, all but
 * the id in Base64; texts from before keys had ids are `iv.tag.ciphertext`.
 */
export interface Secrets {
  seal(text: string): string
  /** @throws Error that says which key is missing, or that the text was changed */
  open(sealed: string): string
  /** True if it was sealed with SECRETS_KEY, and says so. */
  isCurrent(sealed: string): boolean
}

interface Key {
  /** Names the key and says nothing of it. */
  id: string
  bytes: Buffer
}

export function createSecrets({ secretsKey, previousSecretsKey }: SecretsKeys): Secrets {
  const current = keyOf(secretsKey)
  const keys = [current, ...(previousSecretsKey ? [keyOf(previousSecretsKey)] : [])]
  return {
    seal(text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current.bytes, iv)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const parts = [iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64'))
      return [current.id, ...parts].join('.')
    },
    open(sealed) {
      const parts = sealed.split('.')
      const id = parts.length === 4 ? parts.shift() : undefined
      if (parts.length !== 3) throw new Error('This text is not sealed')
      for (const key of keys) {
        if (id !== undefined && id !== key.id) continue
        const text = openedBy(key, parts)
        if (text !== null) return text
      }
      throw new Error(unopened(id, keys))
    },
    isCurrent: (sealed) => sealed.startsWith(`${current.id}.`),
  }
}

function keyOf(text: string): Key {
  const bytes = Buffer.from(text, 'base64')
  const id = createHmac('sha256', bytes).update('assay: id of this key').digest('base64url')
  return { id: id.slice(0, 8), bytes }
}

/** @returns null for another key, or a text that was changed */
function openedBy({ bytes }: Key, parts: readonly string[]): string | null {
  const [iv, tag, text] = parts.map((part) => Buffer.from(part, 'base64')) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  try {
    const decipher = createDecipheriv('aes-256-gcm', bytes, iv, { authTagLength: 16 })
    decipher.setAuthTag(tag)
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

function unopened(id: string | undefined, [current, previous]: readonly Key[]): string {
  if (id === current?.id || (id !== undefined && id === previous?.id))
    return 'A stored secret was changed after it was sealed: store it again'
  const sealedWith = id === undefined ? 'another key' : `the key ${id}`
  const others = previous ? ` or the previous one (${previous.id})` : ''
  return `A stored secret was sealed with ${sealedWith}, which is not the present one (${current?.id})${others}: set ${PREVIOUS_KEY} to the key from before, and run npm run reseal`
}

/** Place where operators set it. */
export const PREVIOUS_KEY =
  'SECRETS_KEY_PREVIOUS (without DATABASE_URL: previousSecretsKey in keys.json of DATA_DIR)'
