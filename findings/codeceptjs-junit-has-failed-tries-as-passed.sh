#!/usr/bin/env bash
# Who meets it: a build that lets CodeceptJS run a scenario again, writes its plugin junitReporter, and counts or compares
#   tests by their classname and name.
# Most expect: one testcase for a scenario that ran twice and failed both times, or a failure for each try.
# Seen: the first try is a testcase that passed, and the last one, of the same name, has the failure.
# Source: github.com/codeceptjs/CodeceptJS/pull/5558, which adds the plugin and says nothing of tries.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error codeceptjs@4.1.0 > install 2>&1 || { cat install >&2; exit 2; }
grep -m1 '"version"' node_modules/codeceptjs/package.json
cat > codecept.conf.js <<'JS'
exports.config = {
  name: 'shop', tests: './*_test.js', output: './output', helpers: { FileSystem: {} },
  plugins: { junitReporter: { enabled: true } },
}
JS
cat > shop_test.js <<'JS'
Feature('Shop')
Scenario('orders', { retries: 1 }, () => { throw new Error('no database') })
JS
code=0
npx codeceptjs run > console 2>&1 || code=$?
cases=$(grep -o '<testcase name="orders"' output/report.xml | wc -l)
failures=$(grep -o '<failure ' output/report.xml | wc -l)
echo "expected: as many failures as testcases; seen: exit code $code, $cases testcases of one name, $failures failure"
[ "$code" = 1 ] && [ "$cases" = 2 ] && [ "$failures" = 1 ]
