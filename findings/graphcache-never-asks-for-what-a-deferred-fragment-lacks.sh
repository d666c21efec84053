#!/usr/bin/env bash
# Who meets it: a page with urql and its normalized cache whose query defers a fragment, after another query has cached
#   the object and one field of that fragment: a list and then the page of one of its items, for example.
# Most expect: the cached part at once, and a request for the rest. The changelog of 6.0.2 says that deferred, uncached
#   fields are fetched, and pull request 3163 says that such a query is passed on to the API.
# Seen: the result from the cache says `hasNext: true`, nothing is requested, and no further result comes: `toPromise`
#   waits for ever, also with `cache-and-network`. With `network-only`, or where nothing of it is cached, it is requested.
# Source: changelog of @urql/exchange-graphcache, 6.0.2; github.com/urql-graphql/urql/pull/3163.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts @urql/exchange-graphcache@9.0.2 @urql/core@6.0.3 \
  graphql@16.11.0 > /dev/null
cat > read.mjs <<'JS'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
const book = { __typename: 'Book', id: '1', title: 'A', pages: 7 }
const LIST = '{ book(id: "1") { id title } }'
const PAGE = '{ book(id: "1") { id ... @defer { title pages } } }'
const parts = [
  { data: { book: { __typename: 'Book', id: '1' } }, hasNext: true },
  { incremental: [{ path: ['book'], data: { __typename: 'Book', title: 'A', pages: 7 } }], hasNext: false },
]
const multipart = parts.map((part) => `\r\n---\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(part)}`)
for (const [name, first, requestPolicy] of [
  ['nothing cached', null, 'cache-first'],
  ['title cached', LIST, 'cache-first'],
  ['title cached, cache-and-network', LIST, 'cache-and-network'],
  ['title cached, network-only', LIST, 'network-only'],
]) {
  let requests = 0
  const fetch = async (_, { body }) => {
    if (!body.includes('@defer')) return Response.json({ data: { book } })
    requests += 1
    const headers = { 'content-type': 'multipart/mixed; boundary="-"' }
    return new Response(`${multipart.join('')}\r\n-----\r\n`, { headers })
  }
  const exchanges = [cacheExchange({}), fetchExchange]
  const client = new Client({ url: 'http://localhost/', exchanges, fetch, preferGetMethod: false })
  if (first) await client.query(first, {}).toPromise()
  const results = []
  const { unsubscribe } = client.query(PAGE, {}, { requestPolicy }).subscribe((result) => results.push(result))
  await pause(2_000)
  unsubscribe()
  const last = results.at(-1)
  console.log(`${name}: ${requests} request, at last hasNext ${last.hasNext}, pages ${last.data.book.pages}`)
}
JS
echo 'expected: each of them requests, and has 7 pages at last'
node read.mjs | tee seen.log
diff seen.log - <<'TXT'
nothing cached: 1 request, at last hasNext false, pages 7
title cached: 0 request, at last hasNext true, pages undefined
title cached, cache-and-network: 0 request, at last hasNext true, pages undefined
title cached, network-only: 1 request, at last hasNext false, pages 7
TXT
