import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts what must not lie in the database in clear (AES-256-GCM; text is `iv.tag.ciphertext` in Base64). */
export interface Secrets {
  seal(text: string): string
  /** @throws when the text was not sealed with this key or was changed */
  open(sealed: string): string
}

/** @param secretsKey 32 bytes in Base64 (SECRETS_KEY) */
export function createSecrets(secretsKey: string): Secrets {
  const key = Buffer.from(secretsKey, 'base64')
  return {
    seal(text) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return [iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64')).join('.')
    },
    open(sealed) {
      const [iv, tag, text] = sealed.split('.').map((part) => Buffer.from(part, 'base64'))
      if (!iv || !tag || !text) throw new Error('This text is not sealed')
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 }).setAuthTag(
        tag,
      )
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
    },
  }
}
