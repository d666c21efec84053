#!/usr/bin/env bash
# Who meets it: a dashboard that keys the results of pytest by classname and name, as JUnit XML suggests.
# Most expect: a testcase for each test; a test that fails, and whose fixture fails in its teardown, has both elements.
# Seen: two testcases of the same class and name, one with <failure>, one with <error>, so the later one wins; the
#   attribute tests counts 2, too, where pytest collected 1.
# Source: docs.pytest.org, "Creating JUnitXML format files"
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv tools >/dev/null
tools/bin/pip install --quiet --disable-pip-version-check pytest==9.1.1
cat > test_shop.py <<'PY'
import pytest

@pytest.fixture
def database():
    yield
    raise OSError("cannot close")

def test_order(database):
    assert 1 == 2
PY
tools/bin/pytest --version
tools/bin/pytest -q --junitxml=report.xml >/dev/null || true
cases=$(grep -o '<testcase classname="test_shop" name="test_order"' report.xml | wc -l)
counted=$(grep -o ' tests="[0-9]*"' report.xml)
echo "expected: 1 testcase of test_order; seen: $cases, counted as$counted"
[ "$cases" = 2 ] && [ "$counted" = ' tests="2"' ] && grep -q '<failure' report.xml && grep -q '<error' report.xml
