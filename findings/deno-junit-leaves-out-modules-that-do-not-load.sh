#!/usr/bin/env bash
# Who meets it: a project of Deno one of whose test modules throws at its top level, whose build reads the JUnit file.
# Most expect: an error for the module, as Deno prints one and counts it as failed.
# Seen: the module is nowhere in the file, neither as a suite nor with the test that it had declared; the totals count
#   the other modules alone and no error. Only the console and the exit code tell.
# Source: the implementation, pull request github.com/denoland/deno/pull/19747; bun had the same, and mended it
#   (github.com/oven-sh/bun/pull/36218).
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error deno@2.9.6 > /dev/null
echo "Deno.test('adds', () => {})" > good_test.ts
printf "Deno.test('declared', () => {})\nthrow new Error('no database')\n" > broken_test.ts
code=0
NO_COLOR=1 node_modules/.bin/deno test --no-check --junit-path=report.xml good_test.ts broken_test.ts > console 2>&1 || code=$?
node_modules/.bin/deno --version | head -n 1
grep -m1 'uncaught error' console
names=$(grep -c 'broken_test' report.xml || true)
bad=$(grep -cE '<(failure|error)' report.xml || true)
echo "expected: one error; seen: exit code $code, $bad elements, the module in $names lines"
[ "$code" = 1 ] && [ "$bad" = 0 ] && [ "$names" = 0 ] && grep -q '<testcase name="adds"' report.xml
