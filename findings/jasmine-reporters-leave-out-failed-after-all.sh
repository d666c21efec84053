#!/usr/bin/env bash
# Who meets it: a project of jasmine whose afterAll closes a database, and whose JUnit files a server reads.
# Most expect: an element for the hook that failed, in the suite of it or outside.
# Seen: jasmine prints the error and ends with 3; the file has the tests as passed, failures="0" and errors="0".
# Source: github.com/larrymyers/jasmine-reporters/issues/200, open.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error jasmine@7.0.0 jasmine-reporters@2.5.2 > /dev/null
cat > shop.spec.js <<'JS'
const { JUnitXmlReporter } = require('jasmine-reporters')
jasmine.getEnv().addReporter(new JUnitXmlReporter({ savePath: '.', filePrefix: 'report', consolidateAll: true }))
describe('shop', () => {
  it('adds', () => expect(2 + 2).toBe(4))
  afterAll(() => { throw new Error('cannot close the database') })
})
JS
code=0
node_modules/.bin/jasmine shop.spec.js > console 2>&1 || code=$?
grep -m1 'cannot close' console
bad=$(grep -cE '<(failure|error)' report.xml || true)
echo "jasmine 7.0.0, jasmine-reporters 2.5.2; expected: one failure; seen: exit code $code, $bad elements"
[ "$code" != 0 ] && [ "$bad" = 0 ] && grep -q '<testcase' report.xml
