import type { PubSub } from '../../platform/pub-sub/pub-sub.ts'

/** Fabric that a pub/sub adapter runs on. */
export interface Fabric {
  /** One more process, from the view of the adapter. */
  connect(): Promise<PubSub>
  /** Takes the connection of every instance away; what it runs on is back when this resolves. */
  interrupt(): Promise<void>
  close(): Promise<void>
}

/** The behaviour that every adapter of the port has. */
export function pubSubContract(open: () => Promise<Fabric>): void {
  let fabric: Fabric
  let instances: PubSub[]
  const connect = async () => {
    const instance = await fabric.connect()
    instances.push(instance)
    return instance
  }

  beforeEach(async () => {
    instances = []
    fabric = await open()
  })
  afterEach(async () => {
    for (const instance of instances) await instance.stop()
    await fabric.close()
  })

  test('a message reaches every subscriber of every instance, also of the one that publishes', async () => {
    const [here, there] = [await connect(), await connect()]
    const heard = [listen(here, 'look'), listen(here, 'look'), listen(there, 'look')]
    await here.publish('look', 'a')
    await there.publish('look', 'b')
    for (const one of heard) {
      await one.until(2)
      expect(one.messages.toSorted()).toEqual(['a', 'b'])
    }
  })

  test('a message reaches the subscribers of its topic only, with spaces and line breaks as they are', async () => {
    const [here, there] = [await connect(), await connect()]
    const [mine, other] = [listen(there, 'mine'), listen(there, 'other')]
    await here.publish('mine', 'two words,\ntwo lines')
    await here.publish('other', 'end')
    await Promise.all([mine.until(1), other.until(1)])
    expect(mine.messages).toEqual(['two words,\ntwo lines'])
    expect(other.messages).toEqual(['end'])
  })

  test('who has unsubscribed hears nothing more, and the others still do', async () => {
    const instance = await connect()
    const [left, stays] = [listen(instance, 'look'), listen(instance, 'look')]
    left.unsubscribe()
    await instance.publish('look', 'a')
    await stays.until(1)
    left.unsubscribe()
    await instance.publish('look', 'b')
    await stays.until(2)
    expect(left.messages).toEqual([])
  })

  test('what was published before a stop arrives', async () => {
    const [here, there] = [await connect(), await connect()]
    const heard = listen(there, 'look')
    await here.publish('look', 'last words')
    await here.stop()
    await heard.until(1)
    expect(heard.messages).toEqual(['last words'])
  })

  test('after a lost connection every subscriber hears of a gap, then messages again', async () => {
    const [here, there] = [await connect(), await connect()]
    const heard = [listen(here, 'look'), listen(there, 'look'), listen(there, 'other')]
    await fabric.interrupt()
    await Promise.all(heard.map((one) => one.until(1)))
    expect(heard.map((one) => one.messages)).toEqual([[null], [null], [null]])

    await here.publish('look', 'a')
    await there.publish('look', 'b')
    for (const one of heard.slice(0, 2)) {
      await one.until(3)
      expect(one.messages.slice(1).toSorted()).toEqual(['a', 'b'])
    }
  })

  test('publishing without a connection fails nothing', async () => {
    const instance = await connect()
    const heard = listen(instance, 'look')
    const interrupted = fabric.interrupt()
    await instance.publish('look', 'perhaps lost')
    await interrupted
    while (!heard.messages.includes(null)) await heard.until(heard.messages.length + 1)
  })

  test('stopping twice is harmless', async () => {
    const instance = await connect()
    await instance.stop()
    await instance.stop()
    await instance.publish('look', 'without subscribers')
  })
}

function listen(pubSub: PubSub, topic: string) {
  const messages: (string | null)[] = []
  let wake = () => {}
  const unsubscribe = pubSub.subscribe(topic, (message) => {
    messages.push(message)
    wake()
  })
  return {
    messages,
    unsubscribe,
    /** Waits for `count` messages. */
    async until(count: number): Promise<void> {
      while (messages.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    },
  }
}
