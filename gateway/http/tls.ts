import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import type { Server } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import type { Logger } from '../../platform/process/logger.ts'
import { missing } from '../../platform/settings/env.ts'
import type { Variables } from '../../platform/settings/variables.ts'

/** The environment variables that make the server speak TLS. */
export const TLS_VARIABLES = ['TLS_CERT_FILE', 'TLS_KEY_FILE'] as const

type Values = Readonly<Pick<Variables, (typeof TLS_VARIABLES)[number]>>

/** The paths of certificate chain and private key, both in PEM. */
export interface TlsFiles {
  cert: string
  key: string
}

/** Contents of the files. */
export interface TlsKeys extends TlsFiles {
  /** When the certificate expires. */
  expires: Date
}

/** As a supergraph file: by state instead of by events, which miss links and mounted volumes that are swapped. */
const LOOK_EVERY_MS = 1_000

export const tlsFilesOf = ({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }: Values): TlsFiles | null =>
  cert && key ? { cert, key } : null

export function tlsFaults(values: Values): string[] {
  const faults = [
    ...(values.TLS_KEY_FILE ? missing(values, ['TLS_CERT_FILE'], 'with TLS_KEY_FILE') : []),
    ...(values.TLS_CERT_FILE ? missing(values, ['TLS_KEY_FILE'], 'with TLS_CERT_FILE') : []),
  ]
  const files = tlsFilesOf(values)
  if (!files) return faults
  try {
    readTls(files)
    return faults
  } catch (error) {
    return [...faults, (error as Error).message]
  }
}

/** @throws Error that names the setting, its file and the fault */
export function readTls(files: TlsFiles): TlsKeys {
  const cert = read('TLS_CERT_FILE', files.cert)
  const key = read('TLS_KEY_FILE', files.key)
  const certificate = parsed(`TLS_CERT_FILE=${files.cert} holds no certificate in PEM`, () => {
    return new X509Certificate(cert)
  })
  const privateKey = parsed(
    `TLS_KEY_FILE=${files.key} holds no private key in PEM without a passphrase`,
    () => createPrivateKey(key),
  )
  if (!certificate.checkPrivateKey(privateKey))
    throw new Error(
      `TLS_KEY_FILE=${files.key} is not the key of the certificate in TLS_CERT_FILE=${files.cert}`,
    )
  return { cert, key, expires: certificate.validToDate }
}

/**
 * Gives a server the keys of the files whenever these change, and on SIGHUP; connections stay open. Files that cannot be
 * used leave the keys as they were, and the log says why.
 * @returns what ends it
 */
export function followTls(server: Server, files: TlsFiles, log: Logger): () => void {
  if (!(server instanceof TlsServer)) throw new Error('A server without TLS has no keys')
  const reload = () => {
    try {
      const { expires, ...keys } = readTls(files)
      server.setSecureContext(keys)
      log.info({ expires }, 'TLS certificate loaded')
    } catch (err) {
      log.error({ err }, 'TLS files cannot be used; the keys before stay')
    }
  }
  for (const file of Object.values(files))
    watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, reload)
  process.on('SIGHUP', reload)
  return () => {
    for (const file of Object.values(files)) unwatchFile(file, reload)
    process.off('SIGHUP', reload)
  }
}

function read(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`${setting}=${file} cannot be read: ${(error as Error).message}`)
  }
}

function parsed<T>(fault: string, parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    throw new Error(fault, { cause })
  }
}
