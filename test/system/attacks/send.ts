import { once } from 'node:events'
import { request } from 'node:http'

export interface Message {
  method?: 'GET' | 'POST' | 'PUT'
  /** With its query. */
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
}

interface Sent {
  status: number
  text: string
}

/** Sends one request on a connection of its own, and fails where its answer is lost. @returns its status, once the answer has been read; the text of a short one */
export async function send(
  url: string,
  { method = 'POST', path, headers = {}, body }: Message,
): Promise<Sent> {
  const sent = request(url + path, {
    method,
    agent: false,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  })
  sent.on('error', () => {}) // behind the answer; before it, `once` throws it
  sent.end(body)
  const [response] = await once(sent, 'response')
  const pieces: Buffer[] = []
  let bytes = 0
  response.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes <= SHORT_BYTES) pieces.push(piece)
  })
  await once(response, 'end')
  return { status: response.statusCode, text: Buffer.concat(pieces).toString() }
}

const SHORT_BYTES = 1_000_000
