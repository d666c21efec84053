#!/usr/bin/env bash
# Who meets it: a page or a service that sends mutations over WebSocket with the client of graphql-ws, in front of a server
#   that restarts and closes its sockets with 1012 (Service Restart), as servers do for a rolling deployment.
# Most expect: subscriptions start again by themselves; a mutation that was on its way is reported as lost, since its
#   caller alone knows whether a repetition does harm.
# Seen: the client connects again and sends the mutation once more, without a word to its caller. Its options do not
#   tell operations apart: `shouldRetry` is about the connection. Only an answer before the close prevents it.
# Source: the documentation of `retryAttempts` and `shouldRetry` of graphql-ws, which names subscriptions alone.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error graphql@16.14.0 graphql-ws@6.0.6 ws@8.18.3 > /dev/null
cat > run.js <<'JS'
import { once } from 'node:events'
import { buildSchema } from 'graphql'
import { createClient } from 'graphql-ws'
import { useServer } from 'graphql-ws/use/ws'
import WebSocket, { WebSocketServer } from 'ws'
let paid = 0
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
await once(server, 'listening')
const schema = buildSchema('type Query { a: Int } type Mutation { pay: Int }')
const pay = () => {
  if (++paid > 1) return paid
  for (const socket of server.clients) setTimeout(() => socket.close(1012, 'Service restart'), 200)
  return new Promise(() => {})
}
useServer({ schema, roots: { mutation: { pay } } }, server)
const client = createClient({
  url: `ws://127.0.0.1:${server.address().port}`,
  webSocketImpl: WebSocket,
  retryWait: async () => {},
})
const { value } = await client.iterate({ query: 'mutation { pay }' }).next()
console.log('expected: the mutation runs once, and its caller gets an error')
console.log(`seen: it ran ${paid} times, and its caller got ${JSON.stringify(value)}`)
process.exit(paid === 2 && value?.data?.pay === 2 ? 0 : 1)
JS
echo "graphql-ws $(node -p "require('./node_modules/graphql-ws/package.json').version")"
node run.js
