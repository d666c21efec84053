#!/usr/bin/env bash
# Who meets it: a project of WebdriverIO with Mocha that tidies up in an `after` at the top of a file, outside of any
#   `describe`, and whose server reads the JUnit files.
# Most expect: a failure for the hook, as for hooks within a `describe`, of which the reporter makes a test.
# Seen: the console has the error and the run ends with 1; the file has the tests as passed and counts no failure. A
#   driver that only answers stands in for a browser here; with Chromium it is the same.
# Source: github.com/webdriverio/webdriverio/pull/9914 mended it for the spec reporter alone.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error @wdio/cli@9.32.0 @wdio/local-runner@9.32.0 \
  @wdio/mocha-framework@9.32.0 @wdio/junit-reporter@9.32.0 > /dev/null
cat > run.js <<'JS'
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
const session = { sessionId: 'one', capabilities: { browserName: 'chrome', browserVersion: '1', platformName: 'linux' } }
const driver = createServer((request, response) => {
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ value: request.url === '/session' ? session : null }))
  })
})
driver.listen(0, '127.0.0.1', () => {
  const env = { ...process.env, DRIVER_PORT: driver.address().port }
  const run = spawn('node_modules/.bin/wdio', ['run', 'wdio.conf.js'], { env, stdio: 'inherit' })
  run.on('exit', (code) => process.exit(code ?? 1))
})
JS
cat > wdio.conf.js <<'JS'
export const config = {
  hostname: '127.0.0.1',
  port: Number(process.env.DRIVER_PORT),
  path: '/',
  specs: [`./${process.env.SPEC}`],
  capabilities: [{ browserName: 'chrome', 'wdio:enforceWebDriverClassic': true }],
  framework: 'mocha',
  logLevel: 'silent',
  reporters: [['junit', { outputDir: '.', outputFileFormat: () => `${process.env.SPEC}.xml` }]],
}
JS
cat > within.spec.js <<'JS'
describe('shop', () => {
  it('adds', () => {})
  after(() => { throw new Error('cannot close the database') })
})
JS
cat > top.spec.js <<'JS'
describe('shop', () => { it('adds', () => {}) })
after(() => { throw new Error('cannot close the database') })
JS
run() { local code=0; SPEC=$1 node run.js > "$1.console" 2>&1 || code=$?; echo "$code"; }
bad() { grep -cE '<(failure|error)' "$1.xml" || true; }
code_within=$(run within.spec.js)
code_top=$(run top.spec.js)
grep -m1 'cannot close' top.spec.js.console
echo "WebdriverIO 9.32.0; expected: a failure in both files; seen: exit code $code_within and $(bad within.spec.js) failure within describe, $code_top and $(bad top.spec.js) outside"
[ "$code_within" = 1 ] && [ "$(bad within.spec.js)" = 1 ] && [ "$code_top" = 1 ] && [ "$(bad top.spec.js)" = 0 ] &&
  grep -q '<testcase.*name="adds"' top.spec.js.xml
