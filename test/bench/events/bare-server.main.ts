import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

/** Requests are answered together, as those that share a transaction are. */
const TOGETHER_MS = 20

/** Reads an event of a request and answers as the product does, with nothing between: what HTTP and JSON alone take. */
const waiting: (() => void)[] = []
setInterval(() => {
  for (const answer of waiting.splice(0)) answer()
}, TOGETHER_MS)

const server = createServer(async (request, response) => {
  const event = JSON.parse(await text(request))
  await new Promise<void>((resolve) => waiting.push(resolve))
  const body = JSON.stringify({
    result: { sent: 1, success: 'true', accepted: [{ index: 0, id: event.title }] },
  })
  response.writeHead(202, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
})
process.once('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
