import { jest } from '@jest/globals'
import { DeliveryLoad } from '../../../../../gateway/federation/subscriptions/delivery-load.ts'
import { LiveEvent } from '../../../../../gateway/federation/subscriptions/live-event.ts'
import type { PreparedSubscription } from '../../../../../gateway/federation/subscriptions/subscription.ts'
import { eventually } from '../../../../support/eventually.ts'
import {
  Client,
  CONTEXT,
  LIMITS,
  settled,
  setUp,
} from '../../../../support/subscriptions/live-streams.ts'

test('equal subscriptions of equal callers share an upstream, an execution and the text', async () => {
  const { upstreams, join, executions } = setUp()
  const [one, two] = [new Client(), new Client()]
  await join(one)
  await join(two, { requestId: 'another' })
  await upstreams[0]?.send('1')
  expect(upstreams).toHaveLength(1)
  expect(executions()).toBe(1)
  expect(one.events[0]).toBe(two.events[0])
  expect(one.events[0]?.text).toBe('{"data":{"cursor":"1"}}')
})

test('another caller and another operation have streams of their own', async () => {
  const { upstreams, join } = setUp()
  await join(new Client())
  await join(new Client(), { user: 'eve' })
  await join(new Client(), { text: 'subscription { other }' })
  expect(upstreams).toHaveLength(3)
})

test('the last to leave frees the upstream at once, although it is quiet', async () => {
  const { upstreams, streams, join } = setUp()
  const leaves = [await join(new Client()), await join(new Client())]
  leaves[0]?.()
  expect(upstreams[0]?.isFree).toBe(false)
  leaves[1]?.()
  expect(upstreams[0]?.isFree).toBe(true)
  expect(streams.size).toBe(0)
})

test('who leaves while the upstream opens frees it as soon as it is open', async () => {
  const { upstreams, streams, subscription } = setUp()
  streams
    .join(
      { operation: { text: 'x' }, subscription, variables: {}, context: CONTEXT, contextKey: '' },
      new Client(),
    )
    .leave()
  await settled()
  expect(upstreams[0]?.isFree).toBe(true)
  expect(streams.size).toBe(0)
})

test('a place is open once its upstream is, also for who has left meanwhile, and when it is refused', async () => {
  const { streams, subscription } = setUp()
  const { promise, reject } = Promise.withResolvers<never>()
  const join = (open: PreparedSubscription['open'], text: string) =>
    streams.join(
      {
        operation: { text },
        subscription: { ...subscription, open },
        variables: {},
        context: CONTEXT,
        contextKey: '',
      },
      new Client(),
    )
  const places = [join(() => promise, 'a'), join(() => promise, 'b')]
  places[1]?.leave()
  const seen: string[] = []
  for (const { opened } of places) void opened.then(() => seen.push('open'))
  await settled()
  expect(seen).toEqual([])
  reject(new Error('refused'))
  await settled()
  expect(seen).toEqual(['open', 'open'])
  expect(streams.size).toBe(0)
})

test('a newcomer gets a stream of its own, which becomes one with the older at the same place', async () => {
  const { upstreams, streams, join, executions } = setUp()
  const [early, late] = [new Client(), new Client()]
  await join(early)
  await upstreams[0]?.send('1')
  await join(late)
  expect(upstreams).toHaveLength(2)
  await upstreams[1]?.send('0')
  await upstreams[1]?.send('1')
  expect(upstreams.map(({ isFree }) => isFree)).toEqual([false, true])
  expect(streams.size).toBe(1)
  const before = executions()
  await upstreams[0]?.send('2')
  expect(executions() - before).toBe(1)
  expect(early.cursors).toEqual(['1', '2'])
  expect(late.cursors).toEqual(['0', '1', '2'])
})

test('who leaves after streams became one frees what it moved to', async () => {
  const { upstreams, streams, join } = setUp()
  const leaveEarly = await join(new Client())
  await upstreams[0]?.send('1')
  const leaveLate = await join(new Client())
  await upstreams[1]?.send('1')
  leaveEarly()
  expect(upstreams[0]?.isFree).toBe(false)
  leaveLate()
  expect(upstreams[0]?.isFree).toBe(true)
  expect(streams.size).toBe(0)
})

test('other work gets its turn while an event goes to many subscribers, and no stream joins it between two places', async () => {
  const { upstreams, streams, join } = setUp()
  const early = new Client()
  await join(early)
  await upstreams[0]?.send('1')
  const many = Array.from({ length: 350 }, () => new Client())
  for (const client of many) void join(client)
  await settled()
  const allHave = (cursor: string) => many.every(({ cursors }) => cursors.includes(cursor))
  await upstreams[1]?.send('2')
  await until(() => allHave('2'))
  await settled()
  await upstreams[1]?.send('3')
  expect(many[0]?.cursors).toEqual(['2', '3'])
  expect(many.at(-1)?.cursors).toEqual(['2'])
  // The older stream comes to the place that the new one is leaving.
  await upstreams[0]?.send('2')
  expect(streams.size).toBe(2)
  await until(() => allHave('3'))
  await upstreams[0]?.send('3')
  await until(() => streams.size === 1)
  expect(early.cursors).toEqual(['1', '2', '3'])
  expect(new Set(many.map(({ cursors }) => cursors.join()))).toEqual(new Set(['2,3']))
})

test('events that come while another goes to many subscribers go out together, and few are read ahead', async () => {
  const { upstreams, join, executions } = setUp()
  const many = Array.from({ length: 350 }, () => new Client())
  const order: string[] = []
  many[0]?.onEvent((cursor) => order.push(`first ${cursor}`))
  many.at(-1)?.onEvent((cursor) => order.push(`last ${cursor}`))
  for (const client of many) void join(client)
  await settled()
  await upstreams[0]?.send('1')
  const later = Array.from({ length: 20 }, (_, nth) => String(nth + 2))
  for (const cursor of later) void upstreams[0]?.send(cursor)
  await settled()
  expect(order).toEqual(['first 1'])
  expect(executions()).toBeLessThan(10)
  await until(() => many.at(-1)?.cursors.length === 21)
  expect(order.slice(0, 6)).toEqual([
    'first 1',
    'last 1',
    'first 2',
    'first 3',
    'first 4',
    'first 5',
  ])
  for (const { cursors } of many) expect(cursors).toEqual(['1', ...later])
})

test('a stream that cannot start from a cursor is joined at any time', async () => {
  const { upstreams, join } = setUp({ isResumable: false })
  const late = new Client()
  await join(new Client())
  await upstreams[0]?.send('1')
  await join(late)
  await upstreams[0]?.send('2')
  expect(upstreams).toHaveLength(1)
  expect(late.cursors).toEqual(['2'])
})

test('a slow reader is closed while another keeps up', async () => {
  const { upstreams, join } = setUp()
  const [slow, quick] = [new Client(), new Client()]
  slow.waiting = LIMITS.bufferBytes + 1
  await join(slow)
  await join(quick)
  await upstreams[0]?.send('1')
  await upstreams[0]?.send('2')
  expect(slow.wasSlow).toBe(true)
  expect(slow.cursors).toEqual(['1'])
  expect(quick.cursors).toEqual(['1', '2'])
})

test('a stream waits for its only reader, who is not closed for reading slowly', async () => {
  const { upstreams, join } = setUp()
  const client = new Client()
  await join(client)
  client.waiting = LIMITS.bufferBytes + 1
  await upstreams[0]?.send('1')
  await upstreams[0]?.send('2')
  expect(client.cursors).toEqual(['1'])
  client.waiting = 0
  await until(() => client.cursors.length === 2)
  expect(client.wasSlow).toBe(false)
})

test('a reader who reads nothing at all is closed, and the upstream is free', async () => {
  const { upstreams, join } = setUp()
  const client = new Client()
  client.waiting = LIMITS.bufferBytes + 1
  await join(client)
  await upstreams[0]?.send('1')
  await until(() => client.wasSlow)
  await settled()
  expect(upstreams[0]?.isFree).toBe(true)
})

test('a failure of the upstream, and its end, are told to all', async () => {
  const { upstreams, join, subscription } = setUp()
  const [one, two] = [new Client(), new Client()]
  await join(one)
  await join(two)
  const failure = new Error('gone')
  subscription.respond = () => Promise.reject(failure)
  await upstreams[0]?.send('1')
  expect([one.ended, two.ended]).toEqual([failure, failure])
  expect(upstreams[0]?.isFree).toBe(true)
  const three = new Client()
  await join(three)
  await upstreams[1]?.iterator.return?.()
  await settled()
  expect(three.ended).toBe(undefined)
})

describe('a stream whose subgraph is lost', () => {
  test('goes on behind the last event that it read, and its subscribers notice nothing', async () => {
    const { upstreams, opened, join, streams } = setUp()
    const [one, two] = [new Client(), new Client()]
    await join(one)
    await join(two)
    for (const nth of [0, 1, 2]) {
      await upstreams[nth]?.send(`${nth}`)
      upstreams[nth]?.lose()
      await eventually(async () => expect(upstreams).toHaveLength(nth + 2))
    }
    await upstreams[3]?.send('3')
    expect(opened).toEqual([undefined, '0', '1', '2'])
    for (const { cursors, ended } of [one, two])
      expect({ cursors, ended }).toEqual({ cursors: ['0', '1', '2', '3'], ended: 'no' })
    expect(streams.size).toBe(1)
  })

  test('is tried until its time is over, and then ends as unreachable', async () => {
    const { upstreams, join, subscription } = setUp()
    const client = new Client()
    await join(client)
    await upstreams[0]?.send('1')
    const places: unknown[] = []
    subscription.open = async (_variables, _context, behind) => {
      places.push(behind)
      throw new Error('refused')
    }
    upstreams[0]?.lose()
    await eventually(async () =>
      expect(client.ended).toMatchObject({ code: 'DOWNSTREAM_UNREACHABLE' }),
    )
    expect(places.length).toBeGreaterThan(1)
    expect(new Set(places)).toEqual(new Set(['1']))
  })

  test('is left where it does not open in time, and freed if it opens later', async () => {
    const { upstreams, join, subscription } = setUp()
    const client = new Client()
    await join(client)
    await upstreams[0]?.send('1')
    const late = Promise.withResolvers<AsyncIterator<never>>()
    subscription.open = () => late.promise
    upstreams[0]?.lose()
    await eventually(async () => expect(client.ended).not.toBe('no'))
    const freed = jest.fn(async () => ({ done: true as const, value: undefined }))
    late.resolve({ next: freed, return: freed })
    await settled()
    expect(freed).toHaveBeenCalledTimes(1)
  })

  test('ends where it brought nothing since it was opened again', async () => {
    const { upstreams, join } = setUp()
    const client = new Client()
    await join(client)
    await upstreams[0]?.send('1')
    upstreams[0]?.lose()
    await eventually(async () => expect(upstreams).toHaveLength(2))
    await settled()
    upstreams[1]?.lose()
    await settled()
    expect(client.ended).toMatchObject({ code: 'DOWNSTREAM_UNREACHABLE' })
  })

  test.each([
    ['brought nothing', true, false],
    ['has no cursors', false, true],
  ])('ends at once where it %s', async (_why, isResumable, isBegun) => {
    const { upstreams, join } = setUp({ isResumable })
    const client = new Client()
    await join(client)
    if (isBegun) await upstreams[0]?.send('1')
    upstreams[0]?.lose()
    await settled()
    expect(client.ended).toMatchObject({ code: 'DOWNSTREAM_UNREACHABLE' })
  })
})

test('a reload keeps the streams whose plan is the same, and ends the others', async () => {
  const { upstreams, streams, join, subscription } = setUp()
  const [kept, ended] = [new Client(), new Client()]
  await join(kept, { text: 'kept' })
  await join(ended, { text: 'ended' })
  const next: PreparedSubscription = {
    ...subscription,
    isLike: () => true,
    respond: async () => ({
      event: new LiveEvent({ data: { cursor: 'of the new graph' } }),
      cursor: '1',
    }),
  }
  await streams.reload(async ({ text }) => (text === 'kept' ? next : undefined))
  await upstreams[0]?.send('1')
  expect(kept.cursors).toEqual(['of the new graph'])
  expect(ended.ended).toMatchObject({ extensions: { code: 'SUBSCRIPTION_SCHEMA_RELOAD' } })
  expect(upstreams.map(({ isFree }) => isFree)).toEqual([false, true])
})

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await settled()
}

test('a process without room says when to come again, and its newest subscribers leave', async () => {
  const isFull = jest.spyOn(DeliveryLoad.prototype, 'isFull').mockReturnValue(true)
  const look = jest.spyOn(DeliveryLoad.prototype, 'look').mockReturnValue(0)
  try {
    const { streams, join } = setUp()
    const clients = [new Client(), new Client(), new Client()]
    for (const client of clients) await join(client)
    const refusals = Array.from({ length: 100 }, () => streams.refusal()?.extensions)
    const seconds = refusals.map((each) => Number(each?.retryAfterSeconds))
    expect(refusals[0]?.code).toBe('OVERLOADED')
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(5)
    expect(Math.max(...seconds)).toBeLessThan(15)
    expect(new Set(seconds).size).toBeGreaterThan(1)
    expect(isFull).toHaveBeenCalledWith(3)
    look.mockImplementation(({ subscribers }) => (subscribers === clients.length ? 2 : 0))
    await eventually(async () =>
      expect(clients.map(({ ended }) => ended === 'no')).toEqual([true, false, false]),
    )
    expect(clients[2]?.ended).toMatchObject({ code: 'OVERLOADED' })
  } finally {
    isFull.mockRestore()
    look.mockRestore()
  }
})
