#!/usr/bin/env bash
# Who meets it: a Python project that repeats flaky tests with the plugin flaky, and a server that counts tests or looks for
#   flaky ones in pytest's JUnit file.
# Most expect: one testcase for a test, or a sign of failure in those of tries that failed.
# Seen: a testcase for each try, all of one name and all as passed but for the last: two tries that failed and a third that
#   passed are three passed tests, and failures="0". The console names the tries that failed.
# Source: github.com/box/flaky/issues/136 and 182
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends python3-pytest=7.2.1-2 python3-flaky=3.7.0-2 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' python3-pytest python3-flaky
cat > test_shop.py <<'PY'
from flaky import flaky
runs = []
@flaky(max_runs=3)
def test_adds():
    runs.append(1)
    assert len(runs) == 3
PY
/usr/bin/python3 -m pytest -p no:cacheprovider --junitxml report.xml > console
grep 'test_adds failed' console
passed=$(grep -o '<testcase [^>]*name="test_adds"[^>]*/>' report.xml | wc -l)
echo "expected: one passed testcase, or none of a failed try; seen: $passed passed"
[ "$passed" = 3 ] && [ "$(grep -c 'test_adds failed' console)" = 2 ] && grep -q 'failures="0"' report.xml
