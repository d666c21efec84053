#!/usr/bin/env bash
# Who meets it: a team that writes features before their steps, with pytest-bdd of Debian 12, and hands the Cucumber JSON
#   to a test management tool.
# Most expect: a step that nothing defines as failed or undefined in the file, as pytest fails its test.
# Seen: the file has the steps that ran, all passed, and no later ones, so that the scenario reads as a good one; a
#   scenario whose first step nothing defines is not in the file. Only pytest's exit code and its JUnit file tell.
# Source: github.com/pytest-dev/pytest-bdd/issues/430 and /721.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends python3-pytest-bdd=5.0.0-1 python3-pytest=7.2.1-2 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' python3-pytest-bdd python3-pytest
cat > shop.feature <<'GHERKIN'
Feature: Shop
  Scenario: later
    Given a price
    Then nothing defines this
  Scenario: first
    Given nothing defines this either
GHERKIN
cat > test_shop.py <<'PYTHON'
from pytest_bdd import given, scenarios
scenarios('shop.feature')
@given('a price')
def price(): pass
PYTHON
code=0
/usr/bin/python3 -m pytest -q --cucumberjson=report.json --junitxml=report.xml > console 2>&1 || code=$?
tail -n 1 console
seen=$(/usr/bin/python3 -c "
import json
for feature in json.load(open('report.json')):
    for each in feature['elements']:
        print(each['name'] + ':', ' '.join(step['result']['status'] for step in each['steps']))")
failed=$({ grep -o '<failure' report.xml || true; } | wc -l)
echo "expected: two bad scenarios; seen in the JSON: $seen; failures in the JUnit file: $failed; exit code $code"
[ "$code" = 1 ] && [ "$failed" = 2 ] && [ "$seen" = 'later: passed' ]
