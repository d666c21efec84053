import type { ServerResponse } from 'node:http'
import type { RestResponse } from './route.ts'

/** Sends an answer by `node:http` alone: what Express does besides costs more than most answers do. */
export function send(
  response: ServerResponse,
  { status, body, mediaType = 'application/json', headers = {} }: RestResponse,
): void {
  if (body === undefined) {
    response.writeHead(status, headers).end()
    return
  }
  // As a string it goes out in one piece with the headers.
  const text = mediaType === 'application/json' ? JSON.stringify(body) : String(body)
  response.writeHead(status, {
    'Content-Type': `${mediaType}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(text)
}
