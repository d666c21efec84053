import { request } from 'node:http'

/** Announces a body, and sends it only if it is asked to. @returns whether it was, and the status */
export function announceBody(
  url: string,
  headers: Record<string, string | number>,
  method = 'POST',
): Promise<{ continued: boolean; status: number | undefined }> {
  const body = 'no JSON'
  const given = { 'content-length': body.length, ...headers, expect: '100-continue' }
  const sent = request(url, { method, headers: given, agent: false })
  let continued = false
  return new Promise((resolve, reject) => {
    sent.on('error', reject)
    sent.on('continue', () => {
      continued = true
      sent.end(body)
    })
    sent.on('response', (response) => {
      response.resume()
      sent.destroy()
      resolve({ continued, status: response.statusCode })
    })
    sent.flushHeaders()
  })
}
