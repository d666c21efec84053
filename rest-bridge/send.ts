import type { ServerResponse } from 'node:http'
import type { RestResponse } from './route.ts'

/** An answer as it goes out. */
export interface Rendered {
  status: number
  headers: Readonly<Record<string, string | number>>
  /** Undefined where there is no body. */
  text: string | undefined
}

export function render({
  status,
  body,
  mediaType = 'application/json',
  headers = {},
}: RestResponse): Rendered {
  if (body === undefined) return { status, headers, text: undefined }
  const text = mediaType === 'application/json' ? JSON.stringify(body) : String(body)
  const content = {
    'Content-Type': `${mediaType}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(text),
  }
  return { status, headers: { ...content, ...headers }, text }
}

/** Sends an answer by `node:http` alone: what Express does besides costs more than most answers do. */
export function sendRendered(response: ServerResponse, { status, headers, text }: Rendered): void {
  response.writeHead(status, headers)
  // As a string it goes out in one piece with the headers.
  response.end(text)
}

export const send = (response: ServerResponse, answer: RestResponse): void =>
  sendRendered(response, render(answer))
