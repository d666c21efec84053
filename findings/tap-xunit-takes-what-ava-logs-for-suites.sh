#!/usr/bin/env bash
# Who meets it: a project whose TAP goes from AVA through tap-xunit, and one of whose tests logs something.
# Most expect: tests in the suite of their file, the same from run to run.
# Seen: AVA writes t.log() and the names of hooks as comments, and tap-xunit begins a suite with each comment: the tests
#   behind it, also those of other files, which run beside it, are in a suite named after what was logged last.
# Source: the implementation, lib/converter.js of github.com/aghassemi/tap-xunit, which knows the comments of tape.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error ava@6.4.1 tap-xunit@2.4.1 node@24.21.0 > /dev/null
export PATH="$folder/node_modules/.bin:$PATH"
cat > shop.test.js <<'JS'
import test from 'ava'
test.serial('adds', (t) => t.pass())
test.serial('prices', (t) => { t.log('asked at', 12); t.pass() })
test.serial('sells', (t) => t.pass())
JS
ava --tap > report.tap
tap-xunit < report.tap > report.xml
grep -E '<test(suite|case) ' report.xml
grep -A 1 'name="asked at 12"' report.xml | grep -q 'sells'
