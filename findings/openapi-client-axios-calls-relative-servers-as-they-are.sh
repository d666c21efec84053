#!/usr/bin/env bash
# Who meets it: a client whose openapi-client-axios loads the document from the server that offers the API, where
#   `servers` has a relative address such as `/api`.
# Most expect: calls go to that address on the host that the document came from. So says OpenAPI 3 of the field `url` of
#   a server, and swagger-client does it.
# Seen: the address becomes axios' `baseURL` as it is. In Node.js each call ends with "Invalid URL" before it is sent; in
#   a browser it goes to the host of the page. `withServer` with a whole address helps.
# Source: OpenAPI 3.0.3 and 3.1.0, Server Object; github.com/swagger-api/swagger-client/pull/1312 for the other client.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts openapi-client-axios@7.9.1 axios@1.7.9 \
  swagger-client@3.39.0 > /dev/null
cat > call.mjs <<'JS'
import { createServer } from 'node:http'
import OpenAPIClientAxios from 'openapi-client-axios'
import SwaggerClient from 'swagger-client'
const document = {
  openapi: '3.1.0', info: { title: 'Checks', version: '1' }, servers: [{ url: '/api' }],
  paths: { '/check': { get: { tags: ['all'], operationId: 'check', responses: { 200: { description: 'ok' } } } } },
}
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(request.url === '/document.json' ? document : { called: request.url }))
}).listen(0, '127.0.0.1', async () => {
  const origin = `http://127.0.0.1:${server.address().port}`
  const definition = `${origin}/document.json`
  const swagger = await SwaggerClient({ url: definition })
  console.log(`swagger-client: ${(await swagger.apis.all.check()).body.called}`)
  const call = async (options) => {
    const client = await new OpenAPIClientAxios.default({ definition, ...options }).init()
    return client.check().then(({ data }) => data.called, ({ message }) => message)
  }
  console.log(`openapi-client-axios: ${await call()}`)
  console.log(`openapi-client-axios withServer: ${await call({ withServer: { url: `${origin}/api` } })}`)
  server.close()
  server.closeAllConnections()
})
JS
echo 'expected: all three call /api/check'
node call.mjs | tee seen.log
diff seen.log - <<'TXT'
swagger-client: /api/check
openapi-client-axios: Invalid URL
openapi-client-axios withServer: /api/check
TXT
