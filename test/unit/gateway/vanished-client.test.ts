import { EventEmitter } from 'node:events'
import type { Server, WebSocket } from 'graphql-ws'
import { answerMessages, type Opened } from '../../../gateway/http/websocket/messages.ts'

test('an answer to a client that is gone is no failure, before its socket has heard of the end', async () => {
  const answered = Promise.withResolvers<WebSocket>()
  const server: Pick<Server<Opened>, 'opened'> = {
    opened(socket) {
      answered.resolve(socket)
      return async () => {}
    },
  }
  const socket = Object.assign(new EventEmitter(), {
    protocol: 'graphql-transport-ws',
    closed: false,
    deliver: (_: string, sent: (error: Error) => void) => sent(new Error('write EPIPE')),
  })
  answerMessages(server as Server<Opened>, { socket } as unknown as Opened, (payload) => payload)
  const { send } = await answered.promise
  expect(await send('{"id":"1","type":"complete"}')).toBeUndefined()
})
