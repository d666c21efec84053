/*
 * A reader of Server-Sent Events whose network is lost: run in a network namespace of its own (unshare -rn), where its
 * address can lead nowhere. Prints how long the gateway kept its stream.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { dirname } from 'node:path'
import { startFederatedGateway, supergraphOf } from '../gateway/federated-gateway.ts'
import { startTicker } from '../gateway/ticker.ts'

const [, , keepAliveMs = '12000'] = process.argv
const READER = '127.0.0.77'

const ip = (...args: string[]) => execFileSync('ip', args)

ip('link', 'set', 'lo', 'up')
const ticker = await startTicker()
const gateway = await startFederatedGateway(supergraphOf({ ticker }), {
  SUBSCRIPTION_KEEP_ALIVE_MS: keepAliveMs,
})
const headers = { accept: 'text/event-stream' }
/** @param fields other ones, as equal subscriptions share a stream */
const open = async (fields: string, localAddress?: string) => {
  const query = encodeURIComponent(`subscription { ticked { ${fields} } }`)
  const sent = get(`${gateway.url}/graphql?query=${query}`, { headers, localAddress })
  sent.on('error', () => {})
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.on('error', () => {}).resume()
}
await open('id')
await open('value', READER)
await ticker.until(2)
ip('route', 'add', 'blackhole', `${READER}/32`, 'table', 'local')
const lost = performance.now()
await ticker.until(1)
console.log(JSON.stringify({ keptMs: Math.round(performance.now() - lost) }))
gateway.process.signal('SIGTERM')
await gateway.process.exited
await ticker.stop()
await rm(dirname(gateway.file), { recursive: true })
process.exit() // the lost reader does not end
