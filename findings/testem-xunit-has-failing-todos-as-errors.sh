#!/usr/bin/env bash
# Who meets it: an Ember or other project of QUnit that marks known defects with QUnit.todo, runs Testem in CI and publishes its
#   XUnit report.
# Most expect: a todo that fails as announced to be no fault, as for QUnit, whose run is good, and for Testem itself: it counts
#   failures="0" and ends with 0.
# Seen: its testcase has an <error>, without any sign of a todo: readers of tests show a broken test in a good run.
# Source: github.com/testem/testem/pull/1748, which added the count alone; lib/reporters/xunit_reporter.js
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error --save-exact testem@3.21.3 qunit@3.0.0 > /dev/null
cp node_modules/qunit/qunit/qunit.js .
cat > testem.json <<'JSON'
{ "framework": "qunit", "src_files": ["shop.js"], "test_page": "page.html", "launch_in_ci": ["chromium"],
  "browser_args": { "chromium": { "mode": "ci", "args": ["--headless", "--no-sandbox", "--remote-debugging-port=0"] } } }
JSON
cat > page.html <<'HTML'
<!doctype html><meta charset="utf-8"><div id="qunit"></div><script src="/qunit.js"></script><script src="/testem.js"></script><script src="/shop.js"></script>
HTML
cat > shop.js <<'JS'
QUnit.test('adds', (assert) => assert.equal(2 + 2, 4))
QUnit.todo('known', (assert) => assert.ok(false))
JS
code=0
node_modules/.bin/testem ci --port 0 --reporter xunit > report.xml || code=$?
grep -oE '<testsuite [^>]*>|<testcase [^>]*>(<error [^>]*>)?' report.xml
errors=$(grep -o '<error ' report.xml | wc -l)
echo "expected: exit code 0 and no <error>; seen: exit code $code, $errors <error>"
[ "$code" = 0 ] && [ "$errors" = 1 ] && grep -q 'failures="0"' report.xml
