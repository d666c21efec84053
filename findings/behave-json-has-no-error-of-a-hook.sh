#!/usr/bin/env bash
# Who meets it: a project of behave whose before_scenario opens a database, with a reader of its JSON that goes by steps,
#   as readers of Cucumber's JSON do, which looks alike.
# Most expect: the error of the hook, and steps that say that they were skipped.
# Seen: the scenario is "failed" and holds only steps without a result: none failed, none was skipped, and the error is
#   nowhere in the file. Durations are seconds, where Cucumber has nanoseconds.
# Source: github.com/behave/behave/issues/454, on hooks that raise.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends python3-behave=1.2.6-4 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' python3-behave
mkdir -p features/steps
printf 'Feature: Shop\n  Scenario: adds\n    Given a price\n' > features/shop.feature
printf "from behave import given\n@given('a price')\ndef price(context): pass\n" > features/steps/shop.py
printf "def before_scenario(context, scenario): raise Exception('no database')\n" > features/environment.py
code=0
behave --format json --outfile report.json --no-color > console 2>&1 || code=$?
python3 - <<'PY'
import json
[scenario] = json.load(open('report.json'))[0]['elements']
results = [step.get('result') for step in scenario['steps']]
text = open('report.json').read()
print('scenario', scenario['status'], 'results of steps', results, 'names the error', 'no database' in text)
PY
[ "$code" = 1 ] && grep -q 'no database' console && ! grep -qE 'no database|"result"' report.json && grep -q '"status": "failed"' report.json
