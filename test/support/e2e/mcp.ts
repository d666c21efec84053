// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it has asked for
type Data = any

/** Sends a request to the tools as clients of 2025-11-25 do. */
export async function mcp(
  url: string,
  method: string,
  params: object = {},
  headers: object = {},
  signal: AbortSignal | null = null,
) {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    signal,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error }: { result?: Data; error?: Data } = JSON.parse(await response.text())
  return { status: response.status, headers: response.headers, result, error }
}

/** Calls a tool. @throws when it returns an error */
export async function callTool(url: string, name: string, given: object, headers: object = {}) {
  const call = { name, arguments: given }
  const { result, error } = await mcp(url, 'tools/call', call, headers)
  if (!result || result.isError) throw new Error(result?.content[0].text ?? error?.message)
  const content: { note: string; data: Data; part?: unknown; cut?: string[]; errors?: Data } =
    result.structuredContent
  return { ...content, text: result.content[0].text as string }
}
