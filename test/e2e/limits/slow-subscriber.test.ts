import { readUntil } from '../../conformance/calls.ts'
import { newTitle, post } from '../../conformance/events.ts'
import { assay, useAssay } from '../../support/e2e/product.ts'
import { RawSocket } from '../../support/gateway/raw-socket.ts'

useAssay({ env: { SUBSCRIPTION_BUFFER_BYTES: '100000', SUBSCRIPTION_STALL_MS: '1000' } })

describe('slow subscriber', () => {
  interface Frame {
    type: string
    payload: {
      data: { eventReceived: { cursor: string; rawEvent: { properties: { n: number } } } }
    }
  }

  /** Far more, together, than buffers of the system hold. */
  const EVENTS = 600
  const MESSAGE = 'x'.repeat(30_000)

  async function openSubscriptions(): Promise<number> {
    const text = await (await fetch(`${assay().url}/metrics`)).text()
    return Number(/^assay_graphql_subscriptions\{.*\} (\d+)$/m.exec(text)?.[1])
  }

  test('a subscriber that reads nothing is closed without slowing ingestion, and resumes without gap or repeat', async () => {
    const title = newTitle()
    /** @param after the first asks for all of its own title, so that it does not matter when its stream is open */
    const subscribe = async (after: string) => {
      const raw = await RawSocket.ready(assay().url)
      const args = `query: ${JSON.stringify(`title:"${title}"`)}, after: "${after}"`
      raw.subscribe(
        '1',
        `subscription { eventReceived(${args}) { cursor rawEvent { message properties } } }`,
      )
      return raw
    }
    const seen: number[] = []
    let cursor = ''
    const take = ({ type, payload }: Frame) => {
      expect(type).toBe('next')
      seen.push(payload.data.eventReceived.rawEvent.properties.n)
      cursor = payload.data.eventReceived.cursor
    }
    const send = (from: number, to: number) =>
      post(
        Array.from({ length: to - from }, (_, at) => ({
          title,
          message: MESSAGE,
          properties: { n: from + at },
        })),
      )

    const slow = await subscribe('')
    await send(0, 1)
    take((await slow.next()) as Frame)
    slow.socket.pause()
    for (let from = 1; from < EVENTS; from += 100)
      expect(await send(from, Math.min(EVENTS, from + 100))).toMatchObject({ status: 202 })
    await readUntil(openSubscriptions, (open) => open === 0)
    slow.socket.resume()
    expect(await slow.closed).toMatchObject({ code: 1013 })
    for (const frame of slow.arrived()) take(frame as Frame)
    expect(seen.length).toBeLessThan(EVENTS)

    // A pause of this process looks slow, too: then it resumes once more.
    while (seen.length < EVENTS) {
      const resumed = await subscribe(cursor)
      while (seen.length < EVENTS) {
        const frame = await resumed.next().catch(() => null)
        if (frame === null) break
        take(frame as Frame)
      }
      if (seen.length < EVENTS) expect(await resumed.closed).toMatchObject({ code: 1013 })
      else expect(await resumed.rest()).toEqual([])
      await resumed.close()
    }
    expect(seen).toEqual(Array.from({ length: EVENTS }, (_, n) => n))
  })
})
