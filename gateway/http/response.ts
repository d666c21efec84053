import type { RequestListener, ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'

/** What a handler returns. */
export type HttpResponse = TextResponse | StreamResponse | ExpressResponse

export interface TextResponse {
  status: number
  /** A list is a header for each of its values. */
  headers: Readonly<Record<string, string | number | string[]>>
  /** Undefined where there is no body. */
  text: string | Buffer | undefined
}

/** A body that is written over time. */
export interface StreamResponse {
  status: number
  headers: Readonly<Record<string, string>>
  /** Gets the body once status and headers are sent. */
  stream(body: Writable): void
}

/** Files, which Express serves with ranges, validators and compression. */
export interface ExpressResponse {
  express(...args: [...Parameters<RequestListener>, next: (error?: unknown) => void]): void
}

/** An answer that is not a text yet. */
export interface Answer {
  status: number
  /** Sent as JSON, unless `mediaType` says what kind of text it is; undefined for no body. */
  body: unknown
  mediaType?: string
  headers?: Readonly<Record<string, string | string[]>>
}

/** A file. */
export const bytesResponse = (
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  mediaType: string,
  bytes: Buffer,
): TextResponse => ({
  status,
  headers: { 'Content-Type': mediaType, 'Content-Length': bytes.length, ...headers },
  text: bytes,
})

export function textResponse({
  status,
  body,
  mediaType = 'application/json',
  headers = {},
}: Answer): TextResponse {
  if (body === undefined) return { status, headers, text: undefined }
  const text = mediaType === 'application/json' ? JSON.stringify(body) : String(body)
  return withText({ status, headers }, mediaType, text)
}

/** An answer whose JSON is made already. */
export const jsonResponse = (answer: Pick<Answer, 'status' | 'headers'>, text: string) =>
  withText(answer, 'application/json', text)

function withText(
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  mediaType: string,
  text: string,
): TextResponse {
  const content = {
    'Content-Type': `${mediaType}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(text),
  }
  return { status, headers: { ...content, ...headers }, text }
}

export function send(response: ServerResponse, answer: TextResponse | StreamResponse): void {
  response.writeHead(answer.status, answer.headers)
  if ('stream' in answer) answer.stream(response)
  // As a string it goes out in one piece with the headers.
  else response.end(answer.text)
}
