#!/usr/bin/env bash
# Who meets it: a client that signs in with private_key_jwt by an Ed25519 key whose JWK has `"alg": "EdDSA"`, at a
#   provider where it is registered with token_endpoint_auth_signing_alg EdDSA, the only name there was before RFC 9864.
# Most expect: the assertion names the algorithm that the key was imported with.
# Seen: a CryptoKey forgets that name, so openid-client names `Ed25519`, and oidc-provider refuses it as another
#   algorithm than the registered one (invalid_client). `modifyAssertion` can set the name of the key.
# Source: section 2.2 of RFC 9864, which gives one algorithm a second name and only deprecates the first.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error openid-client@6.9.0 oidc-provider@9.13.3 jose@6.2.17 > /dev/null
cat > meet.js <<'JS'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { importJWK } from 'jose'
import Provider from 'oidc-provider'
import * as client from 'openid-client'

console.warn = console.info = () => {} // development keys
const pair = generateKeyPairSync('ed25519')
const jwk = (key) => ({ ...key.export({ format: 'jwk' }), alg: 'EdDSA', kid: 'one', use: 'sig' })
const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const issuer = `http://127.0.0.1:${server.address().port}`
const provider = new Provider(issuer, {
  features: { clientCredentials: { enabled: true } },
  enabledJWA: { clientAuthSigningAlgValues: ['EdDSA', 'Ed25519'] },
  clients: [{
    client_id: 'one', grant_types: ['client_credentials'], redirect_uris: [], response_types: [],
    token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'EdDSA',
    jwks: { keys: [jwk(pair.publicKey)] },
  }],
})
server.on('request', provider.callback())
const key = { key: await importJWK(jwk(pair.privateKey), 'EdDSA'), kid: 'one' }
for (const [name, options] of [
  ['as imported', {}],
  ['header set to EdDSA', { [client.modifyAssertion]: (header) => { header.alg = 'EdDSA' } }],
]) {
  let alg = ''
  const auth = client.PrivateKeyJwt(key, {
    [client.modifyAssertion](header, payload) {
      options[client.modifyAssertion]?.(header, payload)
      alg = header.alg
    },
  })
  const config = await client.discovery(new URL(issuer), 'one', undefined, auth, {
    execute: [client.allowInsecureRequests],
  })
  const answer = await client.clientCredentialsGrant(config).then(() => 'a token', ({ error }) => error)
  console.log(`${name}: alg ${alg}, ${answer}`)
}
server.closeAllConnections()
server.close()
JS
node meet.js | tee seen
for name in openid-client oidc-provider; do
  echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"
done
echo 'expected: a token both times, and alg EdDSA'
grep -q '^as imported: alg Ed25519, invalid_client$' seen && grep -q '^header set to EdDSA: alg EdDSA, a token$' seen
