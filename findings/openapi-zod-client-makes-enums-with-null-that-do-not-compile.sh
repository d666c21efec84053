#!/usr/bin/env bash
# Who meets it: a TypeScript program whose client openapi-zod-client generates from an OpenAPI document with an attribute
#   that may be null and has a list of values.
# Most expect: code that compiles. OpenAPI asks for null in the list where null is allowed, and openapi-typescript, orval
#   and oazapfts make types of it.
# Seen: the generator succeeds, for 3.0 with `nullable` and for 3.1 alike, and writes z.enum(["passed", null]), which does
#   not compile: Zod's types take texts alone. Without null in the list the code compiles, and the document no longer
#   allows null.
# Source: github.com/astahmer/openapi-zod-client/issues/236, open since 2023; OpenAPI's proposal 2019-10-31 on nullable.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error openapi-zod-client@1.18.3 @zodios/core@10.9.6 axios@1.7.9 zod@3.25.76 \
  typescript@5.9.3 > /dev/null
cat > apis.mjs <<'JS'
import { writeFileSync } from 'node:fs'
const write = (name, openapi, state) =>
  writeFileSync(`${name}.json`, JSON.stringify({
    openapi, info: { title: 'Checks', version: '1' },
    paths: { '/check': { get: { operationId: 'check', responses: { 200: { description: 'ok', content: {
      'application/json': { schema: { type: 'object', required: ['state'], properties: { state } } } } } } } } },
  }))
write('with-null-3.0', '3.0.3', { type: 'string', nullable: true, enum: ['passed', 'failed', null] })
write('with-null-3.1', '3.1.0', { type: ['string', 'null'], enum: ['passed', 'failed', null] })
write('without-null-3.0', '3.0.3', { type: 'string', nullable: true, enum: ['passed', 'failed'] })
JS
node apis.mjs
echo 'expected: three clients that compile'
for name in with-null-3.0 with-null-3.1 without-null-3.0; do
  npx openapi-zod-client "$name.json" -o "$name.ts" > /dev/null 2>&1 || exit 1
  npx tsc --noEmit --strict --skipLibCheck --target es2022 --module es2022 --moduleResolution bundler "$name.ts" > "$name.log" || true
  echo "$name: $(grep -o 'z.enum([^)]*)[.a-z()]*' "$name.ts" | head -1) $(grep -c "'null' is not assignable to type 'string'" "$name.log" || true) errors"
done | tee seen.log
grep -q '^with-null-3.0: .* [1-9][0-9]* errors' seen.log
grep -q '^with-null-3.1: .* [1-9][0-9]* errors' seen.log
grep -q 'without-null-3.0: .* 0 errors' seen.log
