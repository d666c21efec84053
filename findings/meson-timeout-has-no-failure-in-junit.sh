#!/usr/bin/env bash
# Who meets it: a Meson project with a test that hangs, whose testlog.junit.xml is what people look at.
# Most expect: a failure or an error for the test that was ended at its limit.
# Seen: meson prints TIMEOUT and ends with 1; the file has the test without failure, error or skip, and counts none.
# Source: github.com/mesonbuild/meson/issues/13795; mended since by pull request 13796. Debian 12 has 1.0.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo "meson $(meson --version)"
cat > meson.build <<'MESON'
project('shop', version: '1')
test('hangs', find_program('sleep'), args: ['30'], timeout: 1)
MESON
meson setup build > /dev/null
code=0
meson test -C build > console 2>&1 || code=$?
grep -m1 TIMEOUT console
bad=$(grep -cE '<(failure|error|skipped)' build/meson-logs/testlog.junit.xml || true)
echo "expected: one failure; seen: exit code $code, $bad elements that say so"
[ "$code" != 0 ] && [ "$bad" = 0 ] && grep -q '<testcase name="hangs"' build/meson-logs/testlog.junit.xml
