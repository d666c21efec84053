import { PassThrough } from 'node:stream'
import { createGraphqlSse, type SseOptions } from '../../../gateway/http/graphql/sse.ts'
import { MULTIPART, SERVER_SENT_EVENTS } from '../../../gateway/http/graphql/stream-format.ts'
import type { HttpRequest } from '../../../gateway/http/http-message.ts'

const REQUEST = { requestId: 'r', onceClientEnded: () => () => {} } as unknown as HttpRequest // all that is read
const GIVEN = { query: 'subscription { a }' }

/** A response whose subscription stands once `stand` is called. */
function answering(format = SERVER_SENT_EVENTS, keepAliveMs = 60_000) {
  let stand = (_: object) => {}
  const events = new Promise<object>((resolve) => {
    stand = resolve
  })
  const operations = {
    prepare: async () => ({ run() {}, kind: 'subscription', subscribe: () => events }),
  }
  const sse = createGraphqlSse({
    operations,
    contextOf: () => ({ caller: {} }),
    settings: { keepAliveMs },
    watch: () => () => {},
    noteSent: () => () => {},
  } as unknown as SseOptions) // all that is called
  const body = new PassThrough()
  sse.respond(REQUEST, GIVEN, format).stream(body)
  return { sse, body, stand, written: () => String(body.read() ?? '') }
}

const turn = () => new Promise(setImmediate)

test.each([SERVER_SENT_EVENTS, MULTIPART])(
  'a stream begins when its subscription stands, so that what comes after its headers is delivered',
  async (format) => {
    const { sse, body, stand, written } = answering(format)
    await turn()
    expect(written()).toBe('')
    stand({ deliverTo: () => ({ leave() {} }) })
    await turn()
    expect(written()).toBe(format.begin)
    body.destroy()
    await sse.stop()
  },
)

test('one whose subscription takes long shows life meanwhile, and begins once', async () => {
  const { sse, body, stand } = answering(MULTIPART, 10)
  let all = ''
  const came = new Promise((resolve) => body.once('data', resolve))
  body.on('data', (piece) => {
    all += piece
  })
  await came
  stand({ deliverTo: () => ({ leave() {} }) })
  await turn()
  expect(all.startsWith(MULTIPART.begin)).toBe(true)
  expect(all).not.toContain(MULTIPART.begin.repeat(2))
  body.destroy()
  await sse.stop()
})

test('a subscription that is refused begins and ends', async () => {
  const { sse, stand, written } = answering()
  stand({ errors: [{ message: 'no' }] })
  await turn()
  expect(written()).toBe(
    ':\n\nevent: next\ndata: {"errors":[{"message":"no","extensions":{"requestId":"r"}}]}\n\nevent: complete\ndata:\n\n',
  )
  await sse.stop()
})
