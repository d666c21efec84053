#!/usr/bin/env bash
# Who meets it: a service in Node.js that routes and validates its requests with openapi-backend from a document of
#   OpenAPI 3.1, with `strict` so that a faulty document stops the start.
# Most expect: a valid document starts. The readme lists support of OpenAPI 3.1 as done.
# Seen: what 3.1 has and 3.0 lacks is refused: `type: ["string", "null"]`, `examples` in a schema, webhooks. The same
#   document without these starts, and so does all of it without `strict`, after a warning with every place.
# Source: github.com/kogosoftwarellc/open-api/issues/890, open since 2023: the validator of documents that
#   openapi-backend asks (openapi-schema-validator) knows 2.0 and 3.0 alone.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error openapi-backend@5.21.2 > /dev/null
grep -q 'OpenAPI 3.1 support' node_modules/openapi-backend/README.md
cat > start.mjs <<'JS'
import { OpenAPIBackend } from 'openapi-backend'
const document = (schema, rest = {}) => ({
  openapi: '3.1.0', info: { title: 'Checks', version: '1' }, ...rest,
  paths: { '/check': { get: { operationId: 'check', responses: { 200: { description: 'ok', content: {
    'application/json': { schema } } } } } } },
})
const documents = {
  plain: document({ type: 'string' }),
  nullable: document({ type: ['string', 'null'] }),
  examples: document({ type: 'string', examples: ['a'] }),
  webhooks: document({ type: 'string' }, { webhooks: {} }),
}
console.warn = () => {}
for (const strict of [true, false])
  for (const [name, definition] of Object.entries(documents)) {
    const started = await new OpenAPIBackend({ definition, strict }).init().then(() => 'starts', () => 'refused')
    console.log(`${strict ? 'strict' : 'lenient'} ${name}: ${started}`)
  }
JS
echo 'expected: all of them start'
node start.mjs | tee seen.log
diff seen.log - <<'TXT'
strict plain: starts
strict nullable: refused
strict examples: refused
strict webhooks: refused
lenient plain: starts
lenient nullable: starts
lenient examples: starts
lenient webhooks: starts
TXT
