#!/usr/bin/env bash
# Who meets it: a team whose GraphQL subscriptions run over Server-Sent Events, as those of GraphQL Yoga do by default,
#   and whose HAProxy speaks HTTP/1.1 to both sides with the timeouts of a usual guide for event streams.
# Most expect: an event reaches the client at once; guides for event streams name timeouts and buffers alone.
# Seen: each event waits for about 200 ms, because HAProxy tells the kernel that more is to come. `option http-no-delay`
#   ends that. Its author's commit names the delay, and calls streams within a response an abuse of HTTP.
# Source: HAProxy's commit 96e312139afca1968e0a5966ffa6249efc4989e9, and github.com/haproxy/haproxy/issues/3447 of 2026
#   for another way into the same wait.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
export PATH=$PATH:/usr/sbin
command -v haproxy > /dev/null || apt-get install -qy --no-install-recommends haproxy > /dev/null
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; wait; rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error graphql@16.14.0 graphql-yoga@5.24.0 > /dev/null
cat > server.js <<'JS'
import { createServer } from 'node:http'
import { createSchema, createYoga } from 'graphql-yoga'
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
async function* sentAt() {
  for (;;) {
    yield { sentAt: String(Date.now()) }
    await wait(300)
  }
}
const schema = createSchema({
  typeDefs: 'type Query { a: Int } type Subscription { sentAt: String }',
  resolvers: { Subscription: { sentAt: { subscribe: sentAt } } },
})
const yoga = createYoga({ schema, logging: false })
createServer(yoga).listen(18741, '127.0.0.1')
JS
cat > client.js <<'JS'
const [port] = process.argv.slice(2)
const url = `http://127.0.0.1:${port}/graphql?query=subscription{sentAt}`
const late = []
const response = await fetch(url, { headers: { accept: 'text/event-stream' } })
for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  for (const [, at] of text.matchAll(/"sentAt":"(\d+)"/g)) late.push(Date.now() - Number(at))
  if (late.length >= 20) break
}
console.log(late.sort((a, b) => a - b)[10])
process.exit()
JS
listen() { printf 'listen %s\n  bind 127.0.0.1:%s\n  server yoga 127.0.0.1:18741\n%s\n' "$@"; }
{
  printf 'defaults\n  mode http\n  timeout connect 1s\n  timeout client 1h\n  timeout server 1h\n'
  listen plain 18742 ''
  listen no-delay 18743 '  option http-no-delay'
} > haproxy.cfg
node server.js &
haproxy -db -f haproxy.cfg &
for _ in $(seq 100); do curl -fs 'http://127.0.0.1:18742/graphql?query=%7Ba%7D' > /dev/null && break; sleep 0.1; done
direct=$(node client.js 18741) plain=$(node client.js 18742) nodelay=$(node client.js 18743)
haproxy -v | sed -n 1p
echo "graphql-yoga $(node -p "require('./node_modules/graphql-yoga/package.json').version")"
echo 'expected: about as late through HAProxy as without it'
echo "median of 20 events: $direct ms without HAProxy, $plain ms through it, $nodelay ms with http-no-delay"
[ "$plain" -ge 150 ] && [ "$direct" -lt 100 ] && [ "$nodelay" -lt 100 ]
