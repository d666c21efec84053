/** Message of a sandboxed process. Every field is a claim of untrusted code. */
export type ChildMessage = {
  /** Number of the run that it is about; 0 before the first. */
  run: number
} & (
  | { kind: 'READY' }
  | { kind: 'LOG'; level: LogLevel; text: string }
  | { kind: 'RESULT'; id: number; hits: number[]; value: unknown }
  | { kind: 'ERROR'; id: number; hits: number[]; error: ChildError }
  | { kind: 'CRASH'; error: ChildError }
  /** Nothing of the run is left, and another one may begin. */
  | { kind: 'ENDED' }
)

export type LogLevel = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR'

export interface ChildError {
  name: string
  message: string
  stack: string
  code: string
}

/** @throws TypeError unless the value is a message */
export function asChildMessage(value: unknown): ChildMessage {
  const message = fields(value)
  const { kind, id, run } = message
  if (typeof run !== 'number') throw new TypeError('A message without a run')
  if (kind === 'READY' || kind === 'ENDED') return { kind, run }
  if (kind === 'LOG') return { kind, run, level: level(message.level), text: text(message.text) }
  if (kind === 'CRASH') return { kind, run, error: error(message.error) }
  if (typeof id !== 'number') throw new TypeError('A message without an id')
  const hits = integers(message.hits)
  if (kind === 'RESULT') return { kind, run, id, hits, value: message.value }
  if (kind === 'ERROR') return { kind, run, id, hits, error: error(message.error) }
  throw new TypeError('A message of no known kind')
}

const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

const level = (value: unknown): LogLevel =>
  value === 'DEBUG' || value === 'WARN' || value === 'ERROR' ? value : 'INFO'

const integers = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((item) => Number.isSafeInteger(item) && item >= 0) : []

function error(value: unknown): ChildError {
  const { name, message, stack, code } = fields(value)
  return { name: text(name), message: text(message), stack: text(stack), code: text(code) }
}

export interface ReadMessage {
  value: unknown
  /** Size of its line. */
  bytes: number
}

/**
 * Cuts a stream of bytes into lines of JSON without trusting its sender: no line is parsed or kept before its length is
 * checked, and a line is parsed only when the one before it has been taken.
 * @param check throws for a line that is too long, or is going to be
 * @returns the function to feed; what it yields throws on a long or malformed line
 */
export function createMessageReader(
  check: (bytes: number) => void,
): (chunk: Buffer) => Generator<ReadMessage> {
  let parts: Buffer[] = []
  let pending = 0
  return function* (chunk) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end))
      const bytes = pending + end - start
      check(bytes)
      yield { value: JSON.parse(Buffer.concat(parts).toString('utf8')), bytes }
      parts = []
      pending = 0
      start = end + 1
    }
    parts.push(chunk.subarray(start))
    pending += chunk.length - start
    check(pending)
  }
}
