import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A tool that a model calls, or its last words. */
export type Turn = { name: string; input: object } | string

interface Asked {
  /** Names of the tools that the client offers. */
  tools: readonly string[]
  /** Texts of the results so far. */
  results: readonly string[]
}

interface Block {
  type: string
  content?: unknown
}

/** A model behind the Messages API that assistants ask, whose turns are a script. */
export async function startScriptedModel(next: (asked: Asked) => Turn) {
  const server = createServer(async (request, response) => {
    const { tools = [], messages = [] } = JSON.parse((await bodyOf(request)) || '{}')
    if (!/^\/v1\/messages(\?|$)/.test(request.url ?? '')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":1}')
      return
    }
    const results = messages
      .flatMap(({ content }: { content: unknown }) => (Array.isArray(content) ? content : []))
      .filter(({ type }: Block) => type === 'tool_result')
      .map(({ content }: Block) => textOf(content))
    const names = tools.map(({ name }: { name: string }) => name)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(streamed(next({ tools: names, results }), results.length))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (content as { text?: string }[]).map(({ text = '' }) => text).join('')

/** The events of one answer. */
function streamed(turn: Turn, at: number): string {
  const isText = typeof turn === 'string'
  const block = isText
    ? { type: 'text', text: '' }
    : { type: 'tool_use', id: `toolu_${at}`, name: turn.name, input: {} }
  const delta = isText
    ? { type: 'text_delta', text: turn }
    : { type: 'input_json_delta', partial_json: JSON.stringify(turn.input) }
  const usage = { input_tokens: 1, output_tokens: 1 }
  const message = {
    ...{ id: `msg_${at}`, type: 'message', role: 'assistant', model: 'scripted', content: [] },
    ...{ stop_reason: null, stop_sequence: null, usage },
  }
  const end = { stop_reason: isText ? 'end_turn' : 'tool_use', stop_sequence: null }
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: end, usage },
    { type: 'message_stop' },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')
}
