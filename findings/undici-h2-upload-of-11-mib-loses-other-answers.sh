#!/usr/bin/env bash
# Who meets it: a client with undici 8, which speaks HTTP/2 by itself where the server does. It waits for an answer, such
#   as that of a long run, and sends a large report or batch to the same server meanwhile.
# Most expect: streams of one connection know nothing of each other. A body that waits for the server delays no answer.
# Seen: while more than 10 MiB of a body wait to be sent, the client itself resets the stream of each answer that
#   arrives, with ENHANCE_YOUR_CALM, which reads as if the server had asked for less. Node counts the waiting body as
#   memory of the session, of which `maxSessionMemory` allows 10 MB, and drops the header that exceeds it. The same
#   calls succeed with undici 7, and over HTTP/1.1.
# Source: nodejs.org/api/http2.html (maxSessionMemory), undici.nodejs.org (Client, allowH2)
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 undici@8.12.4 undici-7@npm:undici@7.30.2 > /dev/null
export PATH=$PWD/node_modules/.bin:$PATH
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost 2> /dev/null
cat > ask.js <<'JS'
import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { setTimeout as delay } from 'node:timers/promises'
const [mebibytes, allowH2] = process.argv.slice(2, 4).map(Number)
const { Agent, fetch } = await import(process.argv[4])
let answer
const server = createSecureServer({
  allowHTTP1: true,
  key: readFileSync('key.pem'),
  cert: readFileSync('cert.pem'),
})
server.on('request', async (request, response) => {
  if (request.url === '/run') return void (answer = () => response.end('done'))
  await delay(500)
  answer()
  await delay(1000)
  request.resume().on('end', () => response.end('stored'))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const base = `https://127.0.0.1:${server.address().port}`
const dispatcher = new Agent({ allowH2: allowH2 === 1, connect: { rejectUnauthorized: false } })
const ask = async (path, body) => {
  try {
    return await (await fetch(base + path, { dispatcher, method: 'POST', body })).text()
  } catch ({ cause, message }) {
    return cause?.message ?? message
  }
}
const run = ask('/run', 'begin')
await delay(500)
const upload = ask('/report', Buffer.alloc(mebibytes * 2 ** 20))
console.log(`${await run}, ${await upload}`)
process.exit()
JS
small=$(node ask.js 9 1 undici)
large=$(node ask.js 11 1 undici)
old=$(node ask.js 11 0 undici)
seven=$(node ask.js 11 1 undici-7)
echo "undici $(node -p "JSON.parse(require('fs').readFileSync('node_modules/undici/package.json')).version"), Node $(node --version)"
echo 'expected: "done, stored" in each case'
echo "seen: beside 9 MiB: $small; beside 11 MiB: $large; beside 11 MiB over HTTP/1.1: $old; with undici 7: $seven"
[ "$small" = 'done, stored' ] && [[ $large == *ENHANCE_YOUR_CALM*', stored' ]] && [ "$old$seven" = 'done, storeddone, stored' ]
