#!/usr/bin/env bash
# Who meets it: schedulers on croner with a nightly job in a zone whose clocks change at midnight, such as Greenland's.
# Most expect: a time inside of the gap runs when the gap ends, as croner does for gaps within a day.
# Seen: where the gap crosses midnight (28 March 2026, 23:00 to 00:00, America/Scoresbysund) the day is left out.
# Source: an own run of croner over the changes of 2026; ADR 89 of this project.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error croner@11.0.1 > /dev/null
cat > runs.mjs <<'JS'
import { Cron } from 'croner'
const runs = (text, timezone, from, count) => new Cron(text, { timezone }).nextRuns(count, new Date(from))
console.log(runs('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 1)[0].toISOString())
for (const run of runs('45 23 * * *', 'America/Scoresbysund', '2026-03-27T12:00:00Z', 2)) console.log(run.toISOString())
JS
node runs.mjs > seen
echo "croner 11.0.1; expected: a run on each day; seen:"
cat seen
printf '%s\n' 2026-03-29T01:00:00.000Z 2026-03-28T01:45:00.000Z 2026-03-30T00:45:00.000Z | cmp -s - seen
