#!/usr/bin/env bash
# Who meets it: a project of Nightwatch in one of whose files a second test gets the name of a first one: by copying, or
#   from rows of data.
# Most expect: both tests to run, as in Mocha, Jasmine and Jest; or else a run that fails, as the console shows an error.
# Seen: the whole file is left out, tests that would fail included. The run ends with 0, and the JUnit file has all tests as
#   skipped, without an error.
# Source: the implementation, lib/testsuite/context.js and lib/testsuite/index.js of github.com/nightwatchjs/nightwatch
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error nightwatch@3.16.0 > /dev/null
cat > nightwatch.conf.js <<'JS'
module.exports = {
  src_folders: ['tests'],
  output_folder: 'reports',
  webdriver: { start_process: false },
  test_settings: { default: { unit_tests_mode: true } },
}
JS
mkdir tests
cat > tests/shop.js <<'JS'
describe('shop', () => {
  it('fails', () => { throw new Error('the price is wrong') })
  it('adds', () => {})
  if (process.env.TWICE) it('adds', () => {})
})
JS
code_once=0 code_twice=0
node_modules/.bin/nightwatch > once 2>&1 || code_once=$?
rm -r reports
TWICE=1 node_modules/.bin/nightwatch > twice 2>&1 || code_twice=$?
grep -m1 'already exists' twice | cut -c1-110
skipped=$(grep -c '<skipped' reports/*.xml || true)
bad=$(grep -cE '<(failure|error)' reports/*.xml || true)
echo "Nightwatch 3.16.0; exit code with each name once: $code_once; expected: the same with one twice; seen: $code_twice, $skipped skipped, $bad bad"
[ "$code_once" != 0 ] && [ "$code_twice" = 0 ] && [ "$skipped" = 3 ] && [ "$bad" = 0 ]
