export interface ReadMessage {
  value: unknown
  /** Of its line. */
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
