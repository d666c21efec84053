import { tlsFaults } from '../../../gateway/http/tls.ts'
import { certFile, keyFile } from '../../support/tls.ts'

const [cert, key, other] = [certFile('first'), keyFile('first'), keyFile('second')]

test.each([
  [{}, []],
  [{ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }, []],
  [{ TLS_CERT_FILE: cert }, ['TLS_KEY_FILE must be set with TLS_CERT_FILE']],
  [{ TLS_KEY_FILE: key }, ['TLS_CERT_FILE must be set with TLS_KEY_FILE']],
  [
    { TLS_CERT_FILE: '/nowhere/cert.pem', TLS_KEY_FILE: key },
    [expect.stringMatching(/^TLS_CERT_FILE=\/nowhere\/cert\.pem cannot be read: ENOENT/)],
  ],
  [
    { TLS_CERT_FILE: cert, TLS_KEY_FILE: '/nowhere/key.pem' },
    [expect.stringMatching(/^TLS_KEY_FILE=\/nowhere\/key\.pem cannot be read: ENOENT/)],
  ],
  [{ TLS_CERT_FILE: key, TLS_KEY_FILE: key }, [`TLS_CERT_FILE=${key} holds no certificate in PEM`]],
  [
    { TLS_CERT_FILE: cert, TLS_KEY_FILE: cert },
    [`TLS_KEY_FILE=${cert} holds no private key in PEM without a passphrase`],
  ],
  [
    { TLS_CERT_FILE: cert, TLS_KEY_FILE: other },
    [`TLS_KEY_FILE=${other} is not the key of the certificate in TLS_CERT_FILE=${cert}`],
  ],
])('%j is usable, or a fault that names setting and file', (given, faults) => {
  expect(tlsFaults(given)).toEqual(faults)
})
