#!/usr/bin/env bash
# Met by projects that use the npm package node-test-junit-reporter with node:test: a failing test marked `todo`, with which
# Node's run is good (exit code 0), is a plain failure in the file, without Node's own mark for it. Most expect a build
# server to show a green run as green. Source: the reporter's handler of test:fail, which does not look at `todo`.
# Ends with 0 while it is so, and with 1 once the report has no failure.
set -euo pipefail
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --ignore-scripts --loglevel=error --save-exact node-test-junit-reporter@2.0.1 > install.log 2>&1 || { cat install.log >&2; exit 2; }
cat > shop.test.mjs << 'END'
import { test } from 'node:test'
test('a price', { todo: 'not yet' }, () => { throw new Error('no price') })
END
code=0
node --test --test-reporter=node-test-junit-reporter --test-reporter-destination=report.xml shop.test.mjs || code=$?
echo "node-test-junit-reporter 2.0.1, Node $(node --version)"
echo "expected: the run ends with 0 (it did with $code), and the report has no failure"
echo "seen: $(grep -c '<failure\|<error' report.xml || true) failure"
[ "$code" = 0 ] && grep -q '<failure\|<error' report.xml
