import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { serveBridge } from '../../support/rest-bridge/served-bridge.ts'

const FILE_BYTES = 30_000_000
/** More than a process holds for its clients. */
const MANY = 12

test('of files that clients leave unread, the oldest are given up, and others go on', async () => {
  const attachment = {
    name: 'large.bin',
    contentType: 'application/octet-stream',
    base64: Buffer.alloc(FILE_BYTES).toString('base64'),
  }
  const bridge = await serveBridge(() => ({ data: { attachment } }))
  const agent = new Agent({ maxSockets: MANY })
  const responses: IncomingMessage[] = []
  for (let at = 0; at < MANY; at++) {
    const [response] = await once(get(`${bridge.base}/attachments/f${at}`, { agent }), 'response')
    responses.push(response) // not read
  }
  const read = await Promise.allSettled(
    responses.map(async (response) => {
      let bytes = 0
      for await (const piece of response) bytes += piece.length
      return bytes
    }),
  )
  expect(read.map(({ status }) => status)).toContain('rejected')
  expect(read.at(-1)).toEqual({ status: 'fulfilled', value: FILE_BYTES })
  agent.destroy()
  await bridge.stop()
})
