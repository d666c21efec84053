#!/usr/bin/env bash
# Who meets it: programs that send requests through a forward proxy by undici's ProxyAgent, and sort failures by code
#   into those to mend and those to try again.
# Most expect: the status 407, or one code that names the proxy, when the proxy wants a sign-in.
# Seen: a plain HTTP request fails as a wrong argument of its caller (UND_ERR_INVALID_ARG), a TLS one as an aborted
#   request (UND_ERR_ABORTED). Only the texts of the messages say that a proxy answered, and what.
# Source: lib/dispatcher/proxy-agent.js of undici.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error undici@8.12.4 node@24.21.0 > /dev/null
cat >run.mjs <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { ProxyAgent, request } from 'undici'

const { version } = createRequire(import.meta.url)('undici/package.json')
const proxy = createServer((_, response) => response.writeHead(407).end())
proxy.on('connect', (_, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'))
await once(proxy.listen(0, '127.0.0.1'), 'listening')
const dispatcher = new ProxyAgent(`http://127.0.0.1:${proxy.address().port}`)
const codeOf = (url) => request(url, { dispatcher }).then(({ statusCode }) => statusCode, ({ code }) => code)
const seen = [await codeOf('http://receiver.example/'), await codeOf('https://receiver.example/')]
await dispatcher.destroy()
proxy.close()
console.log(`undici ${version}, Node ${process.version}; the proxy answers 407`)
console.log('expected: the status 407, or one code that names the proxy')
console.log(`seen: http ${seen[0]}, https ${seen[1]}`)
process.exit(seen.join() === 'UND_ERR_INVALID_ARG,UND_ERR_ABORTED' ? 0 : 1)
JS
node_modules/.bin/node run.mjs
