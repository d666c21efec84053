#!/usr/bin/env bash
# Who meets it: a project whose TAP goes from AVA through tap-xunit, and one of whose failures has a coloured message, as
#   those of assertion libraries and of command-line programs under test often are.
# Most expect: the failure without its colours, or with another sign in their place, beside all other tests.
# Seen: AVA writes the sign that begins a colour as an escape of YAML, and tap-xunit reads it. XML 1.0 cannot hold it, so
#   that the XML library throws: the file is empty, and no test of the whole run is in it.
# Source: the implementation, lib/serialize.js of github.com/aghassemi/tap-xunit, which replaces such signs nowhere.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error ava@6.4.1 tap-xunit@2.4.1 > /dev/null
cat > shop.test.mjs <<'JS'
import test from 'ava'
test('adds', (t) => t.is(2 + 2, 4))
test('prices', (t) => t.fail(process.env.SAID))
JS
SAID='price is wrong' node_modules/.bin/ava --tap > plain.tap || true
SAID=$'price is \e[31mwrong\e[0m' node_modules/.bin/ava --tap > coloured.tap || true
code=0
node_modules/.bin/tap-xunit < plain.tap > plain.xml || true
node_modules/.bin/tap-xunit < coloured.tap > coloured.xml 2> console || code=$?
grep -m1 -o 'Invalid character' console
plain=$(grep -c '<testcase' plain.xml || true)
coloured=$(grep -c '<testcase' coloured.xml || true)
echo "AVA 6.4.1, tap-xunit 2.4.1; expected: 2 tests of both; seen: $plain without colours, $coloured with them, exit code $code"
[ "$plain" = 2 ] && [ ! -s coloured.xml ] && [ "$code" = 1 ]
