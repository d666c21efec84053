#!/usr/bin/env bash
# Who meets it: a page that reads GraphQL subscriptions, or any stream of Server-Sent Events, with
#   @microsoft/fetch-event-source, from a server that keeps the connection alive with comments, as GraphQL Yoga and
#   graphql-sse do.
# Most expect: a comment is none of the reader's business. By the specification an event without data is not
#   dispatched, and EventSource passes over it.
# Seen: `onmessage` is called for each comment that an empty line follows, with empty data and no event. JSON.parse of it
#   throws; the library takes that for an error of the connection, and asks for the stream again, from its start.
# Source: github.com/Azure/fetch-event-source/issues/15, open since 2022; HTML Standard, 9.2.6 (dispatch the event).
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --no-audit --no-fund --loglevel=error @microsoft/fetch-event-source@2.0.1 eventsource@4.1.1 > /dev/null
cat > look.js <<'JS'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fetchEventSource } from '@microsoft/fetch-event-source'
import { EventSource } from 'eventsource'

let requests = 0
const server = createServer((_, response) => {
  requests++
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('data: {"price":1}\n\n')
  response.write(':\n\n')
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${server.address().port}/`
// The library asks for the page that it runs in.
globalThis.document = { hidden: false, addEventListener() {}, removeEventListener() {} }
globalThis.window = globalThis
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const standard = []
const source = new EventSource(url)
source.onmessage = ({ data }) => standard.push(data)
await wait(500)
source.close()

const seen = []
const first = new AbortController()
fetchEventSource(url, { signal: first.signal, onmessage: ({ data }) => seen.push(data) })
await wait(500)
first.abort()

requests = 0
const errors = []
const second = new AbortController()
fetchEventSource(url, {
  signal: second.signal,
  onmessage: ({ data }) => JSON.parse(data),
  onerror: (error) => {
    errors.push(error.name)
    return 100 // ms until it asks again
  },
})
await wait(1_000)
second.abort()

console.log('expected: one message by each reader, one request')
console.log('EventSource:', standard)
console.log('fetch-event-source:', seen)
console.log(`with JSON.parse: ${requests > 1 ? 'several requests' : 'one request'}, ${errors[0] ?? 'no error'}`)
const isAsDescribed =
  standard.length === 1 && seen.length === 2 && seen[1] === '' && requests > 1 && errors[0] === 'SyntaxError'
process.exit(isAsDescribed ? 0 : 1)
JS
node look.js
