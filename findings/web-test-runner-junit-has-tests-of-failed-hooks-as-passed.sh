#!/usr/bin/env bash
# Met by projects that judge a run of @web/test-runner by its JUnit file: tests behind a failed `before` are test cases
# without a failure, and a test file that cannot be loaded is not in the file at all, while the run ends with 1. Most expect
# a failed or absent test to be a failure, as in Mocha's own reporters. Source: reportTestFileResults of
# @web/test-runner-junit-reporter (dist), which reads test results alone, and neither hooks nor errors of a session.
# Needs chromium. Ends with 0 while it is so, and with 1 once the report has a failure.
set -euo pipefail
chromium=$(command -v chromium) || { echo 'install chromium' >&2; exit 2; }
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --ignore-scripts --loglevel=error --save-exact \
  @web/test-runner@0.20.2 @web/test-runner-chrome@0.18.1 @web/test-runner-junit-reporter@0.8.0 > install.log 2>&1 || { cat install.log >&2; exit 2; }
cat > hook.test.js << 'END'
describe('shop', () => {
  before(() => { throw new Error('no database') })
  it('sells', () => {})
})
END
cat > load.test.js << 'END'
import './absent.js'
it('never runs', () => {})
END
cat > web-test-runner.config.mjs << END
import { chromeLauncher } from '@web/test-runner-chrome'
import { junitReporter } from '@web/test-runner-junit-reporter'
export default {
  files: '*.test.js',
  browsers: [chromeLauncher({ launchOptions: { executablePath: '$chromium', args: ['--no-sandbox'] } })],
  reporters: [junitReporter({ outputPath: 'report.xml' })],
}
END
code=0
node_modules/.bin/wtr > run.log 2>&1 || code=$?
grep -q '<testcase' report.xml || { cat run.log >&2; exit 2; }
echo '@web/test-runner-junit-reporter 0.8.0'
echo "expected: the run ends with 1 (it did with $code), and the report has failures for both files"
echo "seen: $(grep -c '<testcase' report.xml) test, $(grep -c '<failure\|<error' report.xml || true) failures"
[ "$code" = 1 ] || exit 1
! grep -q '<failure\|<error' report.xml
