#!/usr/bin/env bash
# Who meets it: a build that repeats failed tests with pytest's plugin rerunfailures, and counts the JUnit report.
# Most expect: one testcase for each test, with its last outcome, as a repeated failure of the test itself has.
# Seen: a test whose fixture fails at the end of each try has a testcase for each try, and all but the last have passed;
#   a test that passed at its second try has one without any trace of the first.
# Source: github.com/pytest-dev/pytest-rerunfailures/issues/76, open; 170 and its pull request 380 for the missing trace.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q python3-pytest=7.2.1-2 python3-pytest-rerunfailures=10.2-2 python3-pluggy python3-iniconfig \
  python3-attr python3-packaging python3-pkg-resources >/dev/null
for package in *.deb; do dpkg-deb -x "$package" tools; done
ls python3-pytest*.deb
cat > test_shop.py <<'PY'
import pytest

tries = []

@pytest.fixture
def database():
    yield
    raise OSError("cannot close")

def test_order(database):
    pass

def test_flaky():
    tries.append(1)
    assert len(tries) == 2
PY
PYTHONPATH=tools/usr/lib/python3/dist-packages /usr/bin/python3 -m pytest -q -p no:cacheprovider --reruns 2 --junitxml=report.xml test_shop.py >/dev/null || true
count() { grep -o "<testcase classname=\"test_shop\" name=\"$1\"[^>]*>" report.xml; }
orders=$(count test_order | wc -l)
passed=$(count test_order | grep -c '/>$')
flaky=$(count test_flaky)
echo "expected: 1 testcase of test_order; seen: $orders, of which $passed passed"
echo "expected: a mark of the try that failed; seen: $flaky"
[ "$orders" = 3 ] && [ "$passed" = 2 ] && [[ $flaky == */\> ]]
