#!/usr/bin/env bash
# Who meets it: a Python project whose setUpClass fails once, and a server that sorts or sweeps reports by their time.
# Most expect: the time of the run, or no time.
# Seen: the suite of the fault and its testcase have timestamp="0001-01-01T00:00:00", the first second that the
#   language can hold; suites of other classes in the same file have the true one.
# Source: github.com/xmlrunner/unittest-xml-reporting, result.py
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends python3-xmlrunner=3.2.0-2 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' python3-xmlrunner
cat > test_shop.py <<'PYTHON'
import unittest

class Good(unittest.TestCase):
    def test_adds(self): self.assertEqual(2 + 2, 4)

class Bad(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise RuntimeError('no database')
    def test_absent(self): pass
PYTHON
/usr/bin/python3 -m xmlrunner --output-file report.xml test_shop > /dev/null 2>&1 || true
grep -o 'timestamp="[^"]*"' report.xml | sort | uniq -c
echo 'expected: times of today alone'
grep -q 'timestamp="0001-01-01T00:00:00"' report.xml && grep -q "timestamp=\"$(date +%Y)" report.xml
