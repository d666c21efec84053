import { WaitingRoom } from '../../../rest-bridge/ingestion/waiting-room.ts'

test('what waits is told until it is answered', () => {
  const room = new WaitingRoom({ queueEvents: 10, queueBytes: 1_000 })
  const first = room.enter()
  first.addBytes(300)
  first.addEvents(2)
  const second = room.enter()
  second.addBytes(100)
  expect(room.waiting).toEqual({ bytes: 400, events: 2 })
  first.leave()
  expect(room.waiting).toEqual({ bytes: 100, events: 0 })
  second.leave()
  expect(room.waiting).toEqual({ bytes: 0, events: 0 })
})
