// Executes a scenario and shows its progress live: node examples/clients/watch.js <scenario id>
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'

const HELP = `Executes a scenario or suite and shows its progress live.

Usage
  npm run -s watch -- [id]    loan-schedule if absent

Settings
  ASSAY_URL   where Assay is; http://127.0.0.1:4000 if absent

Exit codes
  0   the execution ended, in whatever state
  1   it could not be started
`

const [contextId = 'loan-schedule'] = process.argv.slice(2)
if (['--help', '-h'].includes(contextId)) {
  process.stdout.write(HELP)
  process.exit(0)
}
const url = process.env.ASSAY_URL ?? 'http://127.0.0.1:4000'
const client = createClient({
  url: `${url.replace(/^http/, 'ws')}/graphql`,
  webSocketImpl: WebSocket,
})

const EXECUTE = `mutation Execute($input: ExecuteInput!) { execute(input: $input) { id } }`
const WATCH = `subscription Watch($id: ID!) {
  executionUpdated(id: $id, after: "") {
    kind
    step { name state message }
    log
    execution { state message events { title status timesSeen } }
  }
}`

const input = { contextId, credentials: { userId: 'watcher', password: 'secret' } }
const [started] = await all(client.iterate({ query: EXECUTE, variables: { input } })).catch(() =>
  fail(`Assay does not answer at ${url}; set ASSAY_URL`),
)
if (started.errors) fail(started.errors[0].message)
for await (const { data } of client.iterate({
  query: WATCH,
  variables: { id: started.data.execute.id },
})) {
  const { kind, step, log, execution } = data.executionUpdated
  if (kind === 'STATE') console.log(`${execution.state} ${execution.message ?? ''}`.trim())
  if (kind === 'STEP') console.log(`  ${step.state} ${step.name} ${step.message ?? ''}`.trimEnd())
  if (kind === 'LOG') for (const line of log) console.log(`    ${line}`)
}
await client.dispose()

function fail(message) {
  console.error(message)
  process.exit(1)
}

async function all(stream) {
  const items = []
  for await (const item of stream) items.push(item)
  return items
}
