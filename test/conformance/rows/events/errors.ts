import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { withSettings } from '../../configured.ts'
import { list, newTitle, post, postText, rawEvent, refusedAsAWhole } from '../../events.ts'
import { inSection, product } from '../../row.ts'

const expectRefused = async (text: string, message?: unknown) => {
  const { status, body } = await postText(text)
  expect({ text, status, body }).toEqual({ text, status: 400, body: refusedAsAWhole(message) })
}

/**
 * Sends a request that HTTP/1.1 refuses before any handler sees it.
 * @param rest behind the request line and the content type @returns status and body
 */
async function postAsIs(rest: string): Promise<{ status: number; body: unknown }> {
  const { hostname, port, pathname } = new URL(`${product().base}/v1/events`)
  const socket = connect(Number(port), hostname)
  socket.write(`POST ${pathname} HTTP/1.1\r\nContent-Type: application/json\r\n${rest}`)
  const answer = await text(socket)
  const [, status] = /^HTTP\/1\.1 (\d+) /.exec(answer) ?? []
  return { status: Number(status), body: JSON.parse(answer.split('\r\n\r\n')[1] ?? '') }
}

export const errors = inSection('EV', 'Errors', [
  {
    id: 'EV-85',
    rule: 'A missing field MUST be reported as: The required field was missing: [<field name>], at the index of its event.',
    check: async () => {
      const { body } = await post([rawEvent(), { message: 'no title' }])
      expect(body.result.errors).toEqual([
        { index: 1, message: 'The required field was missing: [title]' },
      ])
    },
  },
  {
    id: 'EV-86',
    rule: 'A missing field MUST lead to 400 only when no event of the call is valid.',
    check: async () => {
      expect((await post([{ message: 'no title' }, {}])).status).toBe(400)
      expect((await post([{ message: 'no title' }, rawEvent()])).status).toBe(202)
    },
  },
  {
    id: 'EV-87',
    rule: 'Malformed JSON and an empty body MUST be refused with 400, in the shape of an ingestion of which nothing was accepted.',
    check: async () => {
      await expectRefused('', 'The request body is empty')
      for (const text of ['{', '[{"title":"a"}', '{"title":"a"},', "{'title':'a'}", 'title=a'])
        await expectRefused(text)
    },
  },
  {
    id: 'EV-88',
    rule: 'JSON that is neither object nor array MUST be refused with 400 in the same shape.',
    check: async () => {
      for (const text of ['null', 'true', '7', '"title"']) await expectRefused(text)
    },
  },
  {
    id: 'EV-89',
    rule: 'An empty array MUST be refused with 400: The request contains no event.',
    check: () => expectRefused('[]', 'The request contains no event'),
  },
  {
    id: 'EV-90',
    rule: 'One poisonous event (a NUL, a lone surrogate) MUST NOT fail its neighbours.',
    check: async () => {
      for (const poison of ['"\\u0000"', '"\\ud800"']) {
        const text = `[${JSON.stringify(rawEvent())},{"title":${poison}},${JSON.stringify(rawEvent())}]`
        const { status, body } = await postText(text)
        expect(status).toBe(202)
        expect(body.result.accepted).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ index: 0 }),
            expect.objectContaining({ index: 2 }),
          ]),
        )
      }
    },
  },
  {
    id: 'EV-91',
    rule: 'Every other failure (401, 403, 422, 429, 500, 503) MUST have the same shape, 429 and 503 with Retry-After and nothing stored.',
    check: () =>
      withSettings({ EVENTS_QUEUE_BYTES: '300', EVENTS_PER_MINUTE: '2' }, async () => {
        const key = { 'idempotency-key': newTitle() }
        expect((await post({ title: 'stored' }, key)).status).toBe(202)
        for (const [event, status] of [
          [{ title: 'too much', message: 'x'.repeat(300) }, 503],
          [[{ title: 'too' }, { title: 'often' }], 429],
        ] as const) {
          const answer = await post(event)
          expect(answer).toMatchObject({ status, body: refusedAsAWhole() })
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
        }
        const event = '{"title":"stored nowhere"}'
        for (const [rest, message] of [
          [`Content-Length: ${event.length}\r\n\r\n${event}`, 'Host'],
          [`Host: a\r\nAuthorization: Basic YTpi\nYw==\r\n\r\n`, 'line break'],
          [`Host: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n${event}`, 'chunks'],
        ] as const)
          expect(await postAsIs(rest)).toMatchObject({
            status: 400,
            body: refusedAsAWhole(expect.stringContaining(message)),
          })
        expect((await list('', {})).body.counts.total).toBe(1)
      }),
  },
])
