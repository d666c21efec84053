/** An event of a stream of Server-Sent Events. */
export interface ServerEvent {
  event: string
  data: string
}

/** Reads Server-Sent Events; comments and ids are skipped. @param onChunk notes a sign of life, such as a comment */
export async function* serverEvents(
  body: ReadableStream<Uint8Array>,
  onChunk: () => void,
): AsyncGenerator<ServerEvent, void> {
  const decoder = new TextDecoder()
  let rest = ''
  // Node's streams are iterable; the type of the browser's says nothing of it.
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    onChunk()
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = eventOf(block)
      if (event) yield event
    }
  }
}

function eventOf(block: string): ServerEvent | null {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^(\w+):? ?(.*)$/.exec(line) ?? []
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
  }
  return event === 'message' && data.length === 0 ? null : { event, data: data.join('\n') }
}
