import { attachments } from '../../../rest-bridge/routes/attachments.ts'

const [, download] = attachments
const address = { path: '', params: { attachmentId: 'a' }, query: {}, repeated: {} }
const answerOf = (name: string, contentType: string) =>
  download?.respond(
    { attachment: { name, contentType, base64: Buffer.from('<b>').toString('base64') } },
    address,
  )

test.each([
  ['out/report.html', 'text/html', 'attachment', 'text/html; charset=utf-8'],
  ['logo.svg', 'image/svg+xml', 'attachment', 'image/svg+xml'],
  ['a.zip', 'application/zip', 'attachment', 'application/zip'],
  ['a.png', 'image/png', 'inline', 'image/png'],
  ['run.log', 'text/plain', 'inline', 'text/plain; charset=utf-8'],
])('%s is %s that is %s', (name, contentType, disposition, mediaType) => {
  const answer = answerOf(name, contentType)
  expect(answer).toMatchObject({ status: 200, mediaType, bytes: Buffer.from('<b>') })
  expect(answer?.headers).toEqual({
    'Content-Disposition': expect.stringMatching(new RegExp(`^${disposition}; `)),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'",
  })
})

test('no name forges a header', () => {
  const { headers } = answerOf('a/"x"\r\nSet-Cookie: é.txt', 'text/plain') ?? {}
  expect(headers?.['Content-Disposition']).toBe(
    `inline; filename="_x___Set-Cookie___.txt"; filename*=UTF-8''%22x%22%0D%0ASet-Cookie%3A%20%C3%A9.txt`,
  )
})

test('a file that is not there is 404', () => {
  expect(() => download?.respond({ attachment: null }, address)).toThrow(/no attachment/i)
})
