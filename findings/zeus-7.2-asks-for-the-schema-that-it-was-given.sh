#!/usr/bin/env bash
# Who meets it: a build that generates a typed GraphQL client with graphql-zeus, as its readme shows:
#   `zeus schema.graphql ./generated`.
# Most expect: the client, from the schema and in the folder that the command names, without a question.
# Seen: version 7.2.1 asks `urlOrPath:` all the same, so a build without a terminal ends there and nothing is written.
#   It declares both as named positions, and then reads them from the list of unnamed ones, which is empty. 7.0.8 takes
#   them.
# Source: readme of graphql-zeus; github.com/graphql-editor/graphql-zeus/issues/424, of January 2026.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo 'type Query { name: String }' > schema.graphql
for version in 7.2.1 7.0.8; do
  mkdir "$version"
  echo '{ "private": true }' > "$version/package.json"
  (cd "$version" && npm install --no-audit --no-fund --loglevel=error --ignore-scripts "graphql-zeus@$version" graphql@16.11.0) > /dev/null
done
echo 'expected: both write a client and ask nothing'
for version in 7.2.1 7.0.8; do
  (cd "$version" && timeout 60 npx zeus ../schema.graphql ./generated < /dev/null > asked.log 2>&1) || true
  written=$(find "$version/generated" -name index.ts 2> /dev/null | wc -l || true)
  asked=$(grep -c 'urlOrPath:' "$version/asked.log" || true)
  echo "$version: asked $asked, written $written"
done | tee seen.log
diff seen.log - <<'TXT'
7.2.1: asked 1, written 0
7.0.8: asked 0, written 1
TXT
