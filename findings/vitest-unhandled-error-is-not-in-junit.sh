#!/usr/bin/env bash
# Who meets it: a project of vitest with a promise that is rejected behind a test, whose run is judged by its JUnit file.
# Most expect: an error in the file, as the run fails.
# Seen: vitest prints "Unhandled Errors" and ends with 1; the file has failures="0" errors="0" and no element for it.
# Source: github.com/vitest-dev/vitest/issues/10242; later releases add a suite for such errors (pull request 10244).
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error vitest@4.1.10 > /dev/null
cat > shop.test.js <<'JS'
import { test } from 'vitest'
test('adds', async () => {
  Promise.reject(new Error('late'))
  await new Promise((done) => setTimeout(done, 100))
})
JS
code=0
node_modules/.bin/vitest run --reporter=default --reporter=junit --outputFile.junit=report.xml > console 2>&1 || code=$?
grep -m1 -o 'Unhandled [A-Z][a-z]*' console
bad=$(grep -cE '<(failure|error)' report.xml || true)
echo "vitest 4.1.10; expected: one error; seen: exit code $code, $bad elements"
[ "$code" = 1 ] && [ "$bad" = 0 ] && grep -q '<testcase' report.xml
