#!/usr/bin/env bash
# Who meets it: schedulers that ask cron-parser for the run before now, as pg-boss does for its own schedules, with a
# daily job at midnight in a zone whose clocks go forward at midnight, such as Egypt's.
# Most expect: prev() answers 01:00, as next() does from the day before.
# Seen: on 24 April 2026 in Africa/Cairo next() answers 01:00 and prev() throws "loop limit exceeded".
# Source: an own run of cron-parser over the changes of 2026; ADR 89 of this project.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error cron-parser@5.10.5 > /dev/null
cat > runs.mjs <<'JS'
import { CronExpressionParser } from 'cron-parser'
const from = (currentDate) => CronExpressionParser.parse('0 0 * * *', { tz: 'Africa/Cairo', currentDate: new Date(currentDate) })
console.log(from('2026-04-23T10:00:00Z').next().toDate().toISOString())
try {
  console.log(from('2026-04-24T10:00:00Z').prev().toDate().toISOString())
} catch (error) {
  console.log(error.message)
}
JS
node runs.mjs > seen
echo "cron-parser 5.10.5; expected: the same run twice; seen:"
cat seen
printf '%s\n' 2026-04-23T22:00:00.000Z 'Invalid expression, loop limit exceeded' | cmp -s - seen
