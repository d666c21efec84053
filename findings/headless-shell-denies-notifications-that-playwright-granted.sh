#!/usr/bin/env bash
# Met by those who test in Playwright's default browser, chromium-headless-shell, a page that notifies: the permission that
# the context was granted has two answers. navigator.permissions.query() and Notification.requestPermission() say
# "granted", and the property Notification.permission, which most pages look at first, says "denied". Debian's full
# chromium says "granted" three times, so a suite that goes from one to the other changes its result. Most expect one
# answer. Source: microsoft/playwright#23954, comment of 2025-05-07, which has the property alone.
# Needs Debian's chromium and chromium-headless-shell. Ends with 0 while it is so, and with 1 once the three agree.
set -euo pipefail
for program in chromium chromium-headless-shell; do
  command -v "$program" > /dev/null || { echo "Install Debian's $program first" >&2; exit 2; }
done
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --ignore-scripts --loglevel=error --save-exact playwright-core@1.65.1 > install.log 2>&1 || { cat install.log >&2; exit 2; }
cat > ask.cjs << 'END'
const { createServer } = require('node:http')
const { chromium } = require('playwright-core')
const ASK = `(async () => [
  Notification.permission,
  (await navigator.permissions.query({ name: 'notifications' })).state,
  await Notification.requestPermission(),
].join(', '))()`
const server = createServer((_, response) => {
  response.setHeader('content-type', 'text/html')
  response.end('<h1>A page</h1>')
})
server.listen(0, '127.0.0.1', async () => {
  const origin = `http://127.0.0.1:${server.address().port}`
  const browser = await chromium.launch({ executablePath: process.argv[2], chromiumSandbox: false })
  const context = await browser.newContext()
  await context.grantPermissions(['notifications'], { origin })
  const page = await context.newPage()
  await page.goto(origin)
  console.log(await page.evaluate(ASK))
  await browser.close()
  server.close()
})
END
full=$(node ask.cjs "$(command -v chromium)")
shell=$(node ask.cjs "$(command -v chromium-headless-shell)")
echo "playwright-core 1.65.1, $(chromium --version)"
echo 'expected: granted, granted, granted (property, query, request)'
echo "seen: $full in chromium; $shell in chromium-headless-shell"
[ "$full" = 'granted, granted, granted' ] && [ "$shell" = 'denied, granted, granted' ]
