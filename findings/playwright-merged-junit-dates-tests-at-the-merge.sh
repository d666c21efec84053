#!/usr/bin/env bash
# Who meets it: a project that runs Playwright in shards, merges their reports into JUnit later, and a server that sorts or
#   compares runs by the times of their suites.
# Most expect: the time at which the tests ran, which the merged JSON report has.
# Seen: timestamp of each suite is the time of merge-reports, after the end of all tests: minutes later in a pipeline, and
#   another one for each merge of the same reports.
# Source: the JUnit reporter of github.com/microsoft/playwright, packages/playwright/src/reporters/junit.ts, which takes the
#   time at which it begins; issue 30518 was the same of the attribute time
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error --save-exact @playwright/test@1.65.1 > /dev/null
cat > shop.spec.js <<'JS'
const { test, expect } = require('@playwright/test')
test('adds', () => expect(2 + 2).toBe(4))
JS
node_modules/.bin/playwright test --shard 1/1 --reporter blob > /dev/null
ended=$(date +%s%3N)
sleep 2
PLAYWRIGHT_JSON_OUTPUT_NAME=report.json node_modules/.bin/playwright merge-reports --reporter json blob-report > /dev/null
PLAYWRIGHT_JUNIT_OUTPUT_NAME=report.xml node_modules/.bin/playwright merge-reports --reporter junit blob-report > /dev/null
ran=$(node -p "Date.parse(require('./report.json').suites[0].specs[0].tests[0].results[0].startTime)")
said=$(node -p "Date.parse(/timestamp=\"([^\"]+)\"/.exec(require('fs').readFileSync('report.xml', 'utf8'))[1])")
echo "expected: a time before the end of the run, as in JSON: $((ended - ran)) ms before; seen in JUnit: $((said - ended)) ms after"
[ "$ran" -lt "$ended" ] && [ "$said" -ge $((ended + 2000)) ]
