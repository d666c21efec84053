#!/usr/bin/env bash
# Who meets it: a build that lints with ESLint or Biome, ends well with warnings, and hands the JUnit file to a server.
# Most expect: that the file is as good as the run, which exits with 0.
# Seen: each warning is a failure. ESLint's formatter says "Warning" in the text alone and counts it among its errors;
#   Biome says it nowhere, but for the errors of the whole report, which are fewer than its failures.
# Source: the implementations, eslint-formatter-junit 9.0.1 and the reporter of Biome 2.6.8.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --no-audit --no-fund --loglevel=error eslint@10.15.0 eslint-formatter-junit@9.0.1 @biomejs/biome@2.6.8 node@24.21.0 > /dev/null
export PATH="$folder/node_modules/.bin:$PATH"
echo 'debugger' > shop.js
echo "export default [{ rules: { 'no-debugger': 'warn' } }]" > eslint.config.mjs
echo '{ "linter": { "rules": { "suspicious": { "noDebugger": "warn" } } } }' > biome.json
eslint -f junit shop.js > eslint.xml
biome lint --reporter=junit shop.js > biome.xml 2> console
for tool in eslint biome; do echo "$tool: exit code 0, $(grep -c '<failure' $tool.xml) failure"; done
grep -q '<failure .*Warning - ' eslint.xml && grep -q 'errors="1"' eslint.xml &&
  grep -q '<failure' biome.xml && ! grep -qi warning biome.xml && grep -q '<testsuites .*failures="1" errors="0"' biome.xml
