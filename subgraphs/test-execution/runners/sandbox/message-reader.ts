/**
 * Cuts a stream of bytes into lines of JSON without trusting its sender: no line may be longer than `maxBytes`.
 * @returns the function to feed; it yields the parsed lines, and throws on a long or malformed one
 */
export function createMessageReader(maxBytes: number): (chunk: Buffer) => unknown[] {
  let parts: Buffer[] = []
  let pending = 0
  return (chunk) => {
    const lines: unknown[] = []
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end))
      if (pending + end - start > maxBytes) throw new RangeError('A message is too long')
      lines.push(JSON.parse(Buffer.concat(parts).toString('utf8')))
      parts = []
      pending = 0
      start = end + 1
    }
    parts.push(chunk.subarray(start))
    pending += chunk.length - start
    if (pending > maxBytes) throw new RangeError('A message is too long')
    return lines
  }
}
