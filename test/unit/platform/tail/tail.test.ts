import { setTimeout as delay } from 'node:timers/promises'
import type { Interest, Part } from '../../../../platform/tail/interest.ts'
import { Tail } from '../../../../platform/tail/tail.ts'

interface Row {
  position: number
  name: string
}

/** A table in memory that counts what is asked of it, and can be away. */
class Table {
  rows: Row[] = []
  isAway = false
  reads = 0
  judged = 0
  catchUps = 0
  wake = () => {}

  add(...names: string[]): void {
    for (const name of names) this.rows.push({ position: this.rows.length + 1, name })
    this.wake()
  }

  read(after: number, limit = 3, matches = (_: Row) => true): Part<Row> {
    this.reads++
    if (this.isAway) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    const rows = this.rows.filter((row) => row.position > after && matches(row)).slice(0, limit)
    if (rows.length === limit) return { rows, next: rows.at(-1)?.position ?? after, rest: 'more' }
    return { rows, next: Math.max(after, this.rows.length), rest: 'nothing' }
  }

  tail(limits?: { rows: number; bytes: number }) {
    return new Tail<Row, string>(
      {
        end: async () => this.rows.length,
        read: async (after) => this.read(after),
        itemOf: async ({ name }) => name,
        listen: (wake) => {
          this.wake = wake
          return () => {
            this.wake = () => {}
          }
        },
        lookAgainMs: 60_000,
      },
      limits,
    )
  }

  named(prefix: string): Interest<Row> {
    const matches = ({ name }: Row) => name.startsWith(prefix)
    return {
      key: prefix,
      select: (rows) => {
        this.judged += rows.length
        return rows.filter(matches)
      },
      read: async (after) => {
        this.catchUps++
        return this.read(after, 3, matches)
      },
    }
  }
}

/** Until the tail has read for the first time: what comes then comes from memory. */
async function reading(table: Table, reads = 1): Promise<void> {
  while (table.reads < reads) await delay(5)
}

async function take(stream: AsyncIterator<string>, count: number): Promise<string[]> {
  const items: string[] = []
  while (items.length < count) items.push((await stream.next()).value)
  return items
}

test('a subscriber reads the database until it meets the tail, and then nothing of its own', async () => {
  const table = new Table()
  table.add('a1', 'b1', 'a2', 'a3', 'a4')
  const stream = table.tail().follow(table.named('a'), 0)
  expect(await take(stream, 4)).toEqual(['a1', 'a2', 'a3', 'a4'])
  const fifth = stream.next()
  await delay(60)
  const { catchUps } = table
  table.add('b2', 'a5')
  expect((await fifth).value).toBe('a5')
  table.add('a6')
  expect(await take(stream, 1)).toEqual(['a6'])
  expect(table.catchUps).toBe(catchUps)
  await stream.return?.()
})

test('a query is judged once for each row, however many subscribers it has', async () => {
  const table = new Table()
  const tail = table.tail()
  const streams = Array.from({ length: 5 }, () => tail.follow(table.named('a'), 0))
  const all = Promise.all(streams.map((stream) => take(stream, 2)))
  await reading(table)
  table.add('a1', 'b1', 'a2')
  expect(await all).toEqual(Array(5).fill(['a1', 'a2']))
  expect(table.judged).toBe(3)
  for (const stream of streams) await stream.return?.()
})

test('without subscribers nothing is read', async () => {
  const table = new Table()
  const tail = table.tail()
  const stream = tail.follow(table.named('a'), 0)
  const first = stream.next()
  await reading(table)
  table.add('a1')
  await first
  await stream.return?.()
  await delay(60)
  const { reads } = table
  table.add('a2', 'a3')
  await delay(60)
  expect(table.reads).toBe(reads)
  const again = tail.follow(table.named('a'), 1)
  expect(await take(again, 2)).toEqual(['a2', 'a3'])
  await again.return?.()
})

test('one who takes little falls back to the database, and misses and doubles nothing', async () => {
  const table = new Table()
  const tail = table.tail({ rows: 4, bytes: 2 ** 20 })
  const slow = tail.follow(table.named('a'), 0)
  const fast = tail.follow(table.named('a'), 0)
  const names = Array.from({ length: 30 }, (_, at) => `a${at}`)
  const first = take(slow, 1)
  await reading(table)
  const all = take(fast, 30)
  for (const name of names) {
    table.add(name)
    if (Number(name.slice(1)) % 10 === 0) await delay(40)
  }
  expect(await all).toEqual(names)
  expect([...(await first), ...(await take(slow, 29))]).toEqual(names)
  await slow.return?.()
  await fast.return?.()
})

test('a lost database is ridden through, from memory as well as while one catches up', async () => {
  const table = new Table()
  table.add('a1')
  const tail = table.tail()
  const live = tail.follow(table.named('a'), 1)
  const next = take(live, 2)
  await reading(table)
  table.isAway = true
  const late = take(tail.follow(table.named('a'), 0), 3)
  table.add('a2', 'a3')
  await delay(700)
  table.isAway = false
  expect(await next).toEqual(['a2', 'a3'])
  expect(await late).toEqual(['a1', 'a2', 'a3'])
  tail.stop()
})

test('an interest that fails ends its own subscribers alone', async () => {
  const table = new Table()
  const tail = table.tail()
  const fault = new Error('a fault of ours')
  const broken: Interest<Row> = { ...table.named('x'), select: () => Promise.reject(fault) }
  const failing = tail.follow(broken, 0).next()
  const stream = tail.follow(table.named('a'), 0)
  const first = stream.next()
  await reading(table)
  table.add('a1')
  await expect(failing).rejects.toBe(fault)
  expect((await first).value).toBe('a1')
  await stream.return?.()
})

test('who leaves while waiting is let go at once, and a stop ends all', async () => {
  const table = new Table()
  const tail = table.tail()
  const one = tail.follow(table.named('a'), 0)
  const waiting = one.next()
  await one.return?.()
  expect((await waiting).done).toBe(true)
  const other = tail.follow(table.named('a'), 0).next()
  tail.stop()
  expect((await other).done).toBe(true)
})

test('subscribers who take a row at the same time share what is made of it, and none gets it older than its stream', async () => {
  const table = new Table()
  let made = 0
  const tail = new Tail<Row, number>({
    end: async () => table.rows.length,
    read: async (after) => table.read(after),
    itemOf: async () => ++made,
    listen: (wake) => {
      table.wake = wake
      return () => {}
    },
    lookAgainMs: 60_000,
  })
  const streams = [0, 1].map(() => tail.follow(table.named('a'), 0))
  const both = Promise.all(streams.map(async (stream) => (await stream.next()).value))
  await reading(table)
  table.add('a1')
  expect(await both).toEqual([1, 1])
  const later = tail.follow(table.named('a'), 0)
  expect((await later.next()).value).toBe(2)
  tail.stop()
})
