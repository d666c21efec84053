#!/usr/bin/env bash
# Who meets it: a site whose Varnish passes uploads on, such as the report of a CI job on a line that stalls, or of a
#   program that writes the body while it still runs.
# Most expect: `timeout_idle` (5 s) ends idle connections alone. Its documentation says that a connection is idle until
#   the whole headers of a request are there, and of a body it says nothing.
# Seen: a body of which nothing comes for 5 s ends with 503 and a closed connection. `-p timeout_idle=60` waits for it.
# Source: varnish-cache.org/docs/7.1/reference/varnishd.html#timeout-idle
# Takes a minute. Exit: 0 as described, 1 if that changed.
set -euo pipefail
export PATH=$PATH:/usr/sbin
command -v varnishd > /dev/null || apt-get install -qy --no-install-recommends varnish > /dev/null
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; wait; rm -rf "$folder"' EXIT
chmod 755 "$folder" && cd "$folder"
cat > server.mjs <<'JS'
import { createServer } from 'node:http'
createServer((request, response) => {
  request.on('error', () => {}).resume().on('end', () => response.end())
}).listen(18761, '127.0.0.1')
JS
cat > passes.vcl <<'VCL'
vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "18761"; }
sub vcl_recv { return (pass); }
VCL
node server.mjs &
varnish() { mkdir "$1"; varnishd -F -n "$folder/$1" -a "127.0.0.1:$2" -T none -s malloc,32m -f "$folder/passes.vcl" "${@:3}" 2> /dev/null & }
varnish default 18762
varnish patient 18763 -p timeout_idle=60
for port in 18762 18763; do
  for _ in $(seq 300); do curl -fs "http://127.0.0.1:$port/" && break; sleep 0.1; done
done
# upload <port> <seconds>: the status of an upload that pauses once
upload() {
  { echo begin; sleep "$2"; echo end; } |
    curl -s -o /dev/null -w '%{http_code}' -H 'Expect:' -H 'Transfer-Encoding: chunked' -T - -X POST "http://127.0.0.1:$1/" || true
}
short=$(upload 18762 2)
long=$(upload 18762 10)
patient=$(upload 18763 10)
varnishd -V 2>&1 | sed -n 1p
echo 'expected: 200 after a pause of 2 s and of 10 s'
echo "seen: $short after 2 s, $long after 10 s; with timeout_idle=60: $patient after 10 s"
[ "$short" = 200 ] && [ "$long" = 503 ] && [ "$patient" = 200 ]
