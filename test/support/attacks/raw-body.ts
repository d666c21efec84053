import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { ADMIN, ADMIN_PASSWORD, basic } from '../e2e/users.ts'

/** Sends a POST of JSON by hand. @param write sends the body @returns the first line of the answer */
async function post(
  url: string,
  path: string,
  framing: string,
  write: (send: (text: string) => Promise<void>, isOver: () => boolean) => Promise<void>,
): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let isOver = false
  socket.on('error', () => {}) // the answer may be there before all is sent
  socket.once('close', () => {
    isOver = true
  })
  const answered = once(socket, 'data').finally(() => {
    isOver = true
  })
  const signedIn = basic(ADMIN, ADMIN_PASSWORD)
  const headers = { ...signedIn, host: hostname, 'content-type': 'application/json' }
  const lines = Object.entries(headers).map((pair) => pair.join(': '))
  socket.write([`POST ${path} HTTP/1.1`, ...lines, framing, '', ''].join('\r\n'))
  const send = async (text: string) => {
    if (!socket.write(text) && !isOver) await Promise.race([once(socket, 'drain'), answered])
  }
  await write(send, () => isOver)
  const [answer] = await answered
  socket.destroy()
  return String(answer).split('\r\n', 1)[0] ?? ''
}

const CHUNKED = 'transfer-encoding: chunked'
const MILLION = `${'1\r\n \r\n'.repeat(1_000_000)}0\r\n\r\n`

/** Sends a body in a million chunks of one byte. */
export const sendMillionChunks = (url: string, path: string): Promise<string> =>
  post(url, path, CHUNKED, (send) => send(MILLION))

const CHUNK = `10000\r\n${' '.repeat(65_536)}\r\n`

/** Sends chunks of 64 KiB until there is an answer. */
export const sendChunksWithoutEnd = (url: string, path: string): Promise<string> =>
  post(url, path, CHUNKED, async (send, isOver) => {
    while (!isOver()) await send(CHUNK)
  })

/** Sends a small body byte by byte. @param ms for all of it */
export const sendSlowly = (url: string, path: string, body: string, ms: number): Promise<string> =>
  post(url, path, `content-length: ${body.length}`, async (send) => {
    for (const byte of body) {
      await delay(ms / body.length)
      await send(byte)
    }
  })
