#!/usr/bin/env bash
# Who meets it: a site whose Varnish passes Server-Sent Events of better-sse on, over HTTP/1.1, with an event each second
#   and a client that reads them at once.
# Most expect: the stream goes on, since nothing is idle. In the thread below a maintainer is surprised by such an end,
#   because tests show none for HTTP/1, and a reporter sees it with HTTP/2 alone.
# Seen: after 600 s, `send_timeout` by default, the connection is cut within the body, with HTTP/1.1 as well. The time
#   counts from the begin of the response. `-p send_timeout=…` moves the end.
# Source: github.com/varnishcache/varnish-cache/issues/3189
# Takes eleven minutes. Exit: 0 as described, 1 if that changed.
set -euo pipefail
export PATH=$PATH:/usr/sbin
command -v varnishd > /dev/null || apt-get install -qy --no-install-recommends varnish > /dev/null
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; wait; rm -rf "$folder"' EXIT
chmod 755 "$folder" && cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error better-sse@0.16.1 > /dev/null
cat > server.js <<'JS'
import { createServer } from 'node:http'
import { createSession } from 'better-sse'
createServer(async (request, response) => {
  if (request.url === '/ready') return response.end()
  const session = await createSession(request, response)
  const pulse = setInterval(() => session.push(Date.now()), 1000)
  session.once('disconnected', () => clearInterval(pulse))
}).listen(18751, '127.0.0.1')
JS
cat > client.js <<'JS'
const [port, seconds] = process.argv.slice(2).map(Number)
const began = Date.now()
const abort = new AbortController()
setTimeout(() => abort.abort(), seconds * 1000).unref()
let events = 0
try {
  const { body } = await fetch(`http://127.0.0.1:${port}/`, { signal: abort.signal })
  for await (const text of body.pipeThrough(new TextDecoderStream()))
    events += text.split('data:').length - 1
  console.log(`ended ${Math.round((Date.now() - began) / 1000)} ${events}`)
} catch ({ name }) {
  console.log(`${name === 'AbortError' ? 'open' : 'cut'} ${Math.round((Date.now() - began) / 1000)} ${events}`)
}
process.exit()
JS
cat > passes.vcl <<'VCL'
vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "18751"; }
sub vcl_recv { return (pass); }
VCL
node server.js &
varnish() { mkdir "$1"; varnishd -F -n "$folder/$1" -a "127.0.0.1:$2" -T none -s malloc,32m -f "$folder/passes.vcl" "${@:3}" 2> /dev/null & }
varnish default 18752
varnish patient 18753 -p send_timeout=3600
for port in 18752 18753; do
  for _ in $(seq 200); do curl -fs "http://127.0.0.1:$port/ready" && break; sleep 0.1; done
done
node client.js 18753 660 > patient.out &
patient=$!
read -r how seconds events < <(node client.js 18752 660)
wait "$patient"
read -r patiently _ < patient.out
varnishd -V 2>&1 | sed -n 1p
echo "better-sse $(node -p "require('./node_modules/better-sse/package.json').version"), Node $(node --version)"
echo 'expected: open after 660 s in both'
echo "seen: $how after $seconds s and $events events; with send_timeout=3600: $patiently"
[ "$how" = cut ] && [ "$seconds" -ge 595 ] && [ "$seconds" -le 615 ] && [ "$patiently" = open ]
