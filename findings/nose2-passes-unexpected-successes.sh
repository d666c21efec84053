#!/usr/bin/env bash
# Who meets it: a Python project of nose2 whose defect behind an expectedFailure was mended, or whose test no longer tests
#   anything; more so one that came from unittest.
# Most expect: a run that fails, as that of unittest does since Python 3.4.
# Seen: nose2 prints OK and ends with 0; its JUnit file has the test as skipped.
# Source: the implementation, nose2/plugins/result.py and junitxml.py of github.com/nose-devs/nose2; Debian 12 has 0.12.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends python3-nose2=0.12.0-1 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' python3-nose2
cat > test_shop.py <<'PY'
import unittest
class Shop(unittest.TestCase):
    @unittest.expectedFailure
    def test_mended(self):
        self.assertEqual(2 + 2, 4)
PY
of_unittest=0 of_nose2=0
/usr/bin/python3 -m unittest > unittest.console 2>&1 || of_unittest=$?
nose2-3 --plugin nose2.plugins.junitxml --junit-xml > nose2.console 2>&1 || of_nose2=$?
tail -qn 1 unittest.console nose2.console
skipped=$(grep -c '<skipped message="test passes unexpectedly"' nose2-junit.xml || true)
echo "expected: exit code 1 of both; seen: $of_unittest of unittest, $of_nose2 of nose2 with $skipped skipped"
[ "$of_unittest" = 1 ] && [ "$of_nose2" = 0 ] && [ "$skipped" = 1 ]
