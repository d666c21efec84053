import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import type { PeerCertificate, TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'

/** Certificates for localhost that sign themselves, made for these tests alone. */
export type Certificate = 'first' | 'second'

export const certFile = (name: Certificate): string => pathOf(name, 'cert')
export const keyFile = (name: Certificate): string => pathOf(name, 'key')
export const certOf = (name: Certificate): string => readFileSync(certFile(name), 'utf8')

const pathOf = (name: Certificate, kind: 'cert' | 'key') =>
  fileURLToPath(new URL(`tls/${name}.${kind}.pem`, import.meta.url))

export interface TlsAnswer {
  status: number
  body: string
  /** Certificate of the server. */
  certificate: PeerCertificate
}

/** One request over a connection of its own that trusts the certificates of these tests only. */
export const askOverTls = (
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<TlsAnswer> =>
  new Promise((resolve, reject) => {
    const { body, ...options } = init
    const ca = [certOf('first'), certOf('second')]
    const sent = request(url, { ...options, ca, agent: false }, async (response) => {
      const certificate = (response.socket as TLSSocket).getPeerCertificate()
      resolve({ status: response.statusCode ?? 0, body: await text(response), certificate })
    })
    sent.on('error', reject).end(body)
  })
