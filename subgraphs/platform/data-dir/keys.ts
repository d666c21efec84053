import { randomBytes } from 'node:crypto'
import { chmod, readFile } from 'node:fs/promises'
import { writeDurably } from './durable-file.ts'
import { errorCode } from './error-code.ts'

/** The secrets of this installation, made on the first start. Without them stored secrets cannot be read. */
export interface Keys {
  databasePassword: string
  /** 32 bytes in base64: encrypts the secrets in the database. */
  secretsKey: string
  /** Opens what was sealed before `secretsKey` was changed; put there by an operator. */
  previousSecretsKey?: string
  /** `whsec_` and 32 bytes in base64: signs callbacks. */
  callbackSigningSecret: string
  /** Signs the caller context between the processes of one installation. */
  internalSecret: string
}

/** Reads the keys, making those that the file does not have yet. Throws when the file is damaged: it is never replaced. */
export async function loadKeys(path: string): Promise<Keys> {
  const stored = await readStored(path)
  const keys: Keys = { ...generateKeys(), ...stored }
  if (Object.keys(keys).some((name) => !Object.hasOwn(stored, name))) {
    await writeDurably(path, `${JSON.stringify(keys, null, 2)}\n`)
  }
  return keys
}

async function readStored(path: string): Promise<Partial<Keys>> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {}
    throw error
  }
  await chmod(path, 0o600)
  const stored = parseObject(text)
  if (
    !stored ||
    !Object.values(stored).every((value) => typeof value === 'string' && value !== '')
  ) {
    throw new Error(`${path} is damaged: restore it from a backup, it cannot be made again`)
  }
  return stored
}

function parseObject(text: string): Partial<Keys> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function generateKeys(): Keys {
  return {
    databasePassword: randomBytes(24).toString('base64url'),
    secretsKey: randomBytes(32).toString('base64'),
    callbackSigningSecret: `whsec_${randomBytes(32).toString('base64')}`,
    internalSecret: randomBytes(32).toString('base64url'),
  }
}
