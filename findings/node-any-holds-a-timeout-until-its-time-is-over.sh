#!/usr/bin/env bash
# Met by projects that give a request a time limit besides the signal that cancels it: on Node.js 24,
# AbortSignal.any([AbortSignal.timeout(ms), signal]) and its timer stay in memory until `ms` are over, long after whoever
# used it has forgotten both. Most expect that what nothing refers to is collected, as it is on Node.js 20 and as a
# timeout by itself is on 24. With a limit of a day, a hundred requests a second hold gigabytes. Clear a timer of your
# own instead. Source: lib/internal/abort_controller.js of Node.js, which adds a timeout that becomes part of another
# signal to `gcPersistentSignals`.
# Ends with 0 while it is so, and with 1 once such signals are collected.
set -euo pipefail
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error --save-exact node@24.21.0 > install.log 2>&1 || { cat install.log >&2; exit 2; }
cat > held.mjs << 'END'
const turn = () => new Promise((done) => setTimeout(done, 20))
async function heldBytes(make) {
  const before = await heap()
  for (let made = 0; made < 20_000; made++) {
    make()
    if (made % 1_000 === 0) await turn()
  }
  return (await heap()) - before
}
async function heap() {
  for (let at = 0; at < 4; at++) {
    gc()
    await turn()
  }
  return process.memoryUsage().heapUsed
}
const DAY = 86_400_000
await heldBytes(() => AbortSignal.timeout(DAY))
const alone = await heldBytes(() => AbortSignal.timeout(DAY))
const within = await heldBytes(() => AbortSignal.any([AbortSignal.timeout(DAY), new AbortController().signal]))
const each = (bytes) => Math.round(bytes / 20_000)
console.log(`Node.js ${process.version}`)
console.log('expected: a signal that is not referred to holds no memory')
console.log(`seen: ${each(alone)} bytes held by each timeout, ${each(within)} by each that is part of another signal`)
process.exit(each(within) > 200 ? 0 : 1)
END
node_modules/.bin/node --expose-gc held.mjs
