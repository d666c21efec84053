#!/usr/bin/env bash
# Who meets it: a project of node-tap one of whose test files does not load, and a server that reads its JUnit file.
# Most expect: a failure or an error for the file, as the TAP of the same run says `not ok` of it.
# Seen: a suite without a test, with a property that says ok, counted as skipped ("no tests found"). Beside it each suite
#   counts itself as one more test, so that totals say nothing of what is absent.
# Source: the implementation, @tapjs/reporter 4 of tap 21.8, which takes the empty plan of the file for its result.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error tap@21.8.0 > /dev/null
echo "import './gone.mjs'; import t from 'tap'; t.pass('adds')" > shop.test.mjs
echo "import t from 'tap'; t.pass('adds')" > cart.test.mjs
code=0
node_modules/.bin/tap --disable-coverage --reporter=junit shop.test.mjs cart.test.mjs > report.xml 2> errors || code=$?
node_modules/.bin/tap --disable-coverage --reporter=tap shop.test.mjs > report.tap 2>> errors || true
grep -m1 'not ok 1 - shop.test.mjs' report.tap
suite=$(grep -A 2 '<testsuite name="shop.test.mjs"' report.xml)
echo "expected: a failure of shop.test.mjs; seen: exit code $code, $(echo "$suite" | head -n 1)"
[ "$code" = 1 ] && echo "$suite" | grep -q 'failures="0".*skipped="1"' && echo "$suite" | grep -q 'name="ok" value="true"' &&
  ! grep -qE '<(failure|error)' report.xml
