import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { GraphqlSse, type SseOptions } from '../../../gateway/http/graphql/sse.ts'
import { MULTIPART, SERVER_SENT_EVENTS } from '../../../gateway/http/graphql/stream-format.ts'
import type { HttpRequest } from '../../../gateway/http/http-message.ts'

const REQUEST = { requestId: 'r', onceClientEnded: () => () => {} } as unknown as HttpRequest // all that is read
const GIVEN = { query: 'subscription { a }' }

/** Responses, each with a subscription that stands once its `stand` is called. */
function answering(format = SERVER_SENT_EVENTS, keepAliveMs = 60_000, kind = 'subscription') {
  const held: ((events: object) => void)[] = []
  const operations = {
    prepare: async () => ({
      kind,
      run: () => new Promise((resolve) => held.push(resolve)),
      subscribe: () => new Promise((resolve) => held.push(resolve)),
    }),
  }
  const sse = new GraphqlSse({
    operations,
    contextOf: () => ({ caller: {} }),
    settings: { keepAliveMs },
    watch: () => () => {},
    noteSent: () => () => {},
  } as unknown as SseOptions) // all that is called
  /** Opens a stream, whose subscription is asked for by then. */
  const open = async () => {
    const body = new PassThrough()
    const at = held.length
    sse.respond(REQUEST, GIVEN, format).stream(body)
    while (!held[at]) await turn()
    const stand = async (events: object = STANDING) => {
      held[at]?.(events)
      await turn()
    }
    return { body, stand, written: () => String(body.read() ?? '') }
  }
  return { sse, open }
}

const STANDING = { deliverTo: () => ({ leave() {} }) }
const turn = () => new Promise(setImmediate)

test.each([SERVER_SENT_EVENTS, MULTIPART])(
  'a stream begins when its subscription stands, so that what comes after its headers is delivered',
  async (format) => {
    const { sse, open } = answering(format)
    const { body, stand, written } = await open()
    expect(written()).toBe('')
    await stand()
    expect(written()).toBe(format.begin)
    body.destroy()
    await sse.stop()
  },
)

test('one whose subscription takes long shows no life before it stands, as others do', async () => {
  const { sse, open } = answering(MULTIPART, 1)
  const [one, other] = [await open(), await open()]
  await other.stand()
  expect(other.written()).toContain(MULTIPART.begin)
  await once(other.body, 'readable')
  expect(other.written()).toContain(MULTIPART.life)
  expect(one.written()).toBe('')
  await one.stand()
  expect(one.written()).toContain(MULTIPART.begin)
  for (const { body } of [one, other]) body.destroy()
  await sse.stop()
})

test('a subscription that is refused begins and ends', async () => {
  const { sse, open } = answering()
  const { stand, written } = await open()
  await stand({ errors: [{ message: 'no' }] })
  expect(written()).toBe(
    ':\n\nevent: next\ndata: {"errors":[{"message":"no","extensions":{"requestId":"r"}}]}\n\nevent: complete\ndata:\n\n',
  )
  await sse.stop()
})

test('an operation that waits begins at once, and shows life until its result', async () => {
  const { sse, open } = answering(SERVER_SENT_EVENTS, 1, 'mutation')
  const { body, stand, written } = await open()
  await once(body, 'readable')
  await turn()
  expect(written()).toContain(SERVER_SENT_EVENTS.begin)
  await once(body, 'readable')
  expect(written()).toContain(SERVER_SENT_EVENTS.life)
  await stand({ data: null, text: '{"data":null}' })
  expect(written()).toMatch(/event: next\ndata: \{"data":null\}\n\nevent: complete\ndata:\n\n$/)
  await sse.stop()
})
