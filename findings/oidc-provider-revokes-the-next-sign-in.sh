#!/usr/bin/env bash
# Who meets it: a web application whose user signs in a second time in one browser (a second tab, a new deployment, an
#   expired session of its own) and that then revokes the refresh token of the session before, to leave nothing behind.
# Most expect: a refresh token that is revoked takes itself along, and the access tokens that it gave. The second sign-in
#   had a code and tokens of its own.
# Seen: oidc-provider gives both sign-ins one grant, as long as the browser's session there lasts, and a revocation
#   destroys all of the grant: the refresh token of the second sign-in is refused (invalid_grant).
# Source: section 2.1 of RFC 7009, by which the access tokens "based on the same authorization grant" go along; the
#   revocation action of oidc-provider, which takes its own grant for that one.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error oidc-provider@9.13.3 > /dev/null
cat > meet.js <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

console.warn = console.info = () => {} // development keys and pages
const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const issuer = `http://127.0.0.1:${server.address().port}`
const back = 'http://127.0.0.1:4000/callback'
const provider = new Provider(issuer, {
  clients: [{ client_id: 'web', client_secret: 'secret', redirect_uris: [back], grant_types: ['authorization_code', 'refresh_token'] }],
  cookies: { keys: ['key'] },
  pkce: { required: () => false },
  issueRefreshToken: () => true,
  features: { revocation: { enabled: true } },
})
server.on('request', provider.callback())

const asClient = (path, form) =>
  fetch(issuer + path, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('web:secret')}` },
    body: new URLSearchParams(form),
  })
/** Signs in as a browser does, with the cookies that it has. */
async function signIn(jar) {
  let url = `${issuer}/auth?${new URLSearchParams({ client_id: 'web', redirect_uri: back, response_type: 'code', scope: 'openid', state: 's' })}`
  let body
  for (let hop = 0; hop < 20; hop++) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(url, { ...(body && { method: 'POST', body }), redirect: 'manual', headers: { cookie } })
    for (const each of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)
      if (value) jar.set(name, value)
      else jar.delete(name)
    }
    body = undefined
    const location = response.headers.get('location')
    if (location?.startsWith(back)) {
      const code = new URL(location).searchParams.get('code')
      const answer = await asClient('/token', { grant_type: 'authorization_code', code, redirect_uri: back })
      return (await answer.json()).refresh_token
    }
    if (location) url = new URL(location, url).href
    else {
      const page = await response.text()
      url = new URL(/action="([^"]+)"/.exec(page)[1], url).href
      body = new URLSearchParams({ prompt: /name="prompt" value="(\w+)"/.exec(page)[1], login: 'ada', password: 'any' })
    }
  }
}
for (const [name, jars] of [
  ['two browsers', [new Map(), new Map()]],
  ['one browser', Array(2).fill(new Map())],
]) {
  const [first, second] = [await signIn(jars[0]), await signIn(jars[1])]
  const { status } = await asClient('/token/revocation', { token: first, token_type_hint: 'refresh_token' })
  const renewed = await (await asClient('/token', { grant_type: 'refresh_token', refresh_token: second })).json()
  console.log(`${name}: first and second refresh token differ ${first !== second}, revoked the first ${status}, the second: ${renewed.error ?? 'renewed'}`)
}
server.closeAllConnections()
server.close()
JS
echo "oidc-provider $(node -p "JSON.parse(fs.readFileSync('node_modules/oidc-provider/package.json')).version"), node $(node --version)"
node meet.js | tee seen
grep -q '^two browsers: .* the second: renewed$' seen && grep -q '^one browser: .* the second: invalid_grant$' seen
