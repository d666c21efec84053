#!/usr/bin/env bash
# Met by projects that add vite 8.4.0, or a package that needs it, and install with `npm ci` in CI: vite names
# napi-windows-process-start-time as an optional dependency, and where the registry has no such package, `npm install`
# succeeds and leaves it out of package-lock.json. `npm ci` then refuses that lock file as out of sync. Most expect an
# optional dependency that cannot be had to be skipped by both. Source: the package.json of vite 8.4.0 (optionalDependencies).
# Ends with 0 while it is so, and with 1 once npm ci takes the file.
set -euo pipefail
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp"
echo '{ "private": true }' > package.json
echo "npm $(npm --version), vite 8.4.0"
npm install --no-audit --no-fund --ignore-scripts --loglevel=error --save-exact vite@8.4.0 > install.log 2>&1
echo 'expected: npm ci installs what npm install has locked'
if npm ci --no-audit --no-fund --ignore-scripts --loglevel=error > ci.log 2>&1; then
  echo 'seen: npm ci installs it'
  exit 1
fi
seen=$(grep -om1 'Missing: [^ ]* from lock file' ci.log) || { cat ci.log >&2; exit 1; }
echo "seen: npm ci ends with an error, $seen"
