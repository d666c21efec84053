import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { closestMatch } from 'leven'
import { FORMATS } from '../settings/formats.ts'
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

/** The form of each key, where operators write it, too. */
const FORMS: Readonly<Record<keyof Keys, { test(text: string): boolean; hint: string } | null>> = {
  databasePassword: null,
  secretsKey: FORMATS['key-32-bytes'] ?? null,
  previousSecretsKey: FORMATS['key-32-bytes'] ?? null,
  callbackSigningSecret: FORMATS['webhook-secret'] ?? null,
  internalSecret: null,
}
const NAMES = Object.keys(FORMS) as (keyof Keys)[]

/**
 * Reads the keys, making those that the file does not have yet.
 * @throws where the file is damaged, has a key that cannot be used, or is missing beside a database: it is never replaced
 */
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
    if (errorCode(error) !== 'ENOENT') throw error
    if (existsSync(join(dirname(path), 'postgres', 'PG_VERSION'))) {
      throw new Error(
        `${path} is missing, and the database beside it needs its keys: restore it from a backup. Removing the data folder loses all data.`,
      )
    }
    return {}
  }
  await chmod(path, 0o600)
  const stored = parseObject(text)
  if (
    !stored ||
    !Object.values(stored).every((value) => typeof value === 'string' && value !== '')
  ) {
    throw new Error(`${path} is damaged: restore it from a backup, it cannot be made again`)
  }
  const faults = faultsOf(stored)
  if (faults.length > 0) throw new Error([`${path} is wrong:`, ...faults].join('\n  - '))
  return stored
}

/** Names of a later version stay as they are, but not what looks like a slip: a key beside it would be made. */
function faultsOf(stored: Partial<Keys>): string[] {
  const misspelt = Object.keys(stored).flatMap((name) => {
    const nearest = closestMatch(name, NAMES, { maxDistance: 2 })
    return !nearest || nearest === name ? [] : [`${name} is no key: ${nearest} is meant`]
  })
  const unusable = NAMES.flatMap((name) => {
    const { [name]: form } = FORMS
    const { [name]: value } = stored
    return !form || value === undefined || form.test(value) ? [] : [`${name} must be ${form.hint}`]
  })
  return [...misspelt, ...unusable]
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
