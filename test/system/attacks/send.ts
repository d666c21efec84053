import { once } from 'node:events'
import { request } from 'node:http'

export interface Message {
  method?: 'GET' | 'POST' | 'PUT'
  /** With its query. */
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
}

/** Sends one request on a connection of its own. @returns its status, once the answer has been read; the text of a short one */
export async function send(
  url: string,
  { method = 'POST', path, headers = {}, body }: Message,
): Promise<{ status: number; text: string }> {
  const sent = request(url + path, {
    method,
    agent: false,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  })
  // The server may answer and close before it has everything.
  sent.on('error', () => {})
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
