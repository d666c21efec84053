import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { GraphqlSse } from '../../../gateway/http/graphql/sse.ts'
import type { HttpRequest } from '../../../gateway/http/http-message.ts'
import type { ClientOperations } from '../../../gateway/operations/client-operations.ts'

test('nothing runs for a client that left before its stream began', async () => {
  let prepared = 0
  const sse = new GraphqlSse({
    operations: {
      prepare: async () => {
        prepared++
        return []
      },
    } as unknown as ClientOperations,
    contextOf: ({ caller }) => ({ caller }),
    settings: { keepAliveMs: 1_000 },
    watch: () => () => {},
    noteSent: () => undefined,
  })
  const request = { method: 'GET', requestId: 'r', caller: {} } as unknown as HttpRequest
  const begin = (body: PassThrough) =>
    sse.respond(request, { query: '{ __typename }' }).stream(body)
  const left = new PassThrough()
  left.destroy()
  await once(left, 'close')
  begin(left)
  expect(prepared).toBe(0)
  begin(new PassThrough())
  expect(prepared).toBe(1)
  await sse.stop()
})
