#!/usr/bin/env bash
# Who meets it: a project on Debian 12 whose bats lets a test be tried again (BATS_TEST_RETRIES), or has a file with a wrong line.
# Most expect: the names of tests as they are written, and one that passed at last as passed, or as flaky.
# Seen: the test stands there twice, first with the outcome of the test before it; the second time, it and all behind it
#   are named "begin 2 flaky", "begin 3 adds", by their place in the run, so that a server takes them for other tests.
# Source: the implementation, libexec/bats-core/bats-format-junit of github.com/bats-core/bats-core, which takes the line
#   as it comes where the number is not the one that it waits for; 1.13 is right.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends bats=1.8.2-1 > /dev/null
cat > shop.bats <<'BATS'
@test "sells" { false; }
@test "flaky" { BATS_TEST_RETRIES=1; [ "$BATS_TEST_TRY_NUMBER" -gt 1 ]; }
@test "adds" { true; }
BATS
/usr/bin/bats --version
/usr/bin/bats -F tap shop.bats > report.tap || true
/usr/bin/bats -F junit shop.bats > report.xml || true
grep 'ok 2' report.tap
grep '<testcase' report.xml
grep -q '^ok 2 flaky' report.tap && [ "$(grep -c '<failure' report.xml)" = 2 ] &&
  grep -A 1 'name="flaky"' report.xml | grep -q '<failure' && grep -q 'name="begin 2 flaky".*/>' report.xml && grep -q 'name="begin 3 adds"' report.xml
