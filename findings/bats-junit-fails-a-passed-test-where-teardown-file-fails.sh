#!/usr/bin/env bash
# Who meets it: a project of bats whose teardown_file fails once, and a server that shows or counts failed tests.
# Most expect: the last test as passed, and the failed teardown_file by itself, as a failed setup_file is and as the TAP of
#   the same run has it: ok 1 adds, not ok 2 teardown_file failed.
# Seen: the test that passed last is a failure with the text of teardown_file; the suite counts two tests and has one.
#   Output of it at descriptor 3 did the same until that was mended.
# Source: github.com/bats-core/bats-core/issues/531; libexec/bats-core/bats-format-junit
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error --save-exact bats@1.13.0 > /dev/null
cat > shop.bats <<'BATS'
teardown_file() { echo 'cannot close'; false; }
@test "adds" { [ $((2 + 2)) = 4 ]; }
BATS
code=0
node_modules/bats/bin/bats --report-formatter junit --output . shop.bats > run.tap || code=$?
grep -E '^(not )?ok' run.tap
grep -E '<(testsuite|testcase|failure)' report.xml
failed=$(grep -A1 '<testcase classname="shop.bats" name="adds"' report.xml | grep -c '<failure' || true)
echo "expected: no failure in adds; seen: $failed"
[ "$code" = 1 ] && grep -q '^ok 1 adds' run.tap && grep -q '^not ok 2 teardown_file failed' run.tap && [ "$failed" = 1 ]
