import { type Answer, call } from '../../calls.ts'
import { accept, newTitle, post, postText, type Raw, rawEvent, read } from '../../events.ts'
import { inSection, product } from '../../row.ts'

const LONG = ['9007199254740993', '1234567890123456789', '0.1000000000000000055']

/** An event as text, with a number that JSON.stringify would change. */
const eventWith = (number: string, title = newTitle()): string =>
  `{"title":"${title}","fingerprintFields":["@title","n"],"properties":{"n":${number},"list":[{"n":${number}}]}}`

async function acceptText(text: string): Promise<string> {
  const { status, body } = await postText(text)
  expect(status).toBe(202)
  return body.result.accepted?.[0]?.id ?? ''
}

const textOf = async (path: string): Promise<string> =>
  (await fetch(`${product().base}/v1/events${path}`)).text()

const idOf = (number: string, title: string) => acceptText(eventWith(number, title))

interface RawEvents {
  items: Raw[]
}

/** An event as it is read in each of the answers that hold it. */
async function readEverywhere(id: string): Promise<Raw[]> {
  const raw: Answer<RawEvents> = await call('GET', `/v1/events/${id}/raw`)
  const one = await read(id)
  const q = encodeURIComponent(`title:"${one.body.title}"`)
  const listed: Answer<RawEvents> = await call('GET', `/v1/events?q=${q}`)
  const rawListed: Answer<RawEvents> = await call('GET', `/v1/events/raw?q=${q}`)
  const items = [raw, listed, rawListed].flatMap(({ body }) => body.items)
  expect(items).toHaveLength(3)
  return [{ ...one.body }, ...items]
}

export const kept = inSection('EV', 'Resources: RawEvent', [
  {
    id: 'EV-110',
    rule: 'Numbers MUST be read back with all the digits that were sent, at any depth.',
    check: async () => {
      for (const number of LONG) {
        const id = await acceptText(eventWith(number))
        for (const path of [`/${id}`, `/${id}/raw`]) {
          const text = await textOf(path)
          expect(text).toContain(`"n":${number},"list":[{"n":${number}}]`)
        }
      }
    },
  },
  {
    id: 'EV-111',
    rule: 'Numbers that differ in their last digit only MUST differ in the fingerprint; 1, 1.0 and 1e0 MUST NOT.',
    check: async () => {
      const title = newTitle()
      const long = await idOf('9007199254740993', title)
      expect(await idOf('9007199254740992', title)).not.toBe(long)
      expect(await idOf('9007199254740993.0', title)).toBe(long)
      const one = await idOf('1', title)
      expect([await idOf('1.0', title), await idOf('1e0', title)]).toEqual([one, one])
    },
  },
  {
    id: 'EV-112',
    rule: 'A number beyond the range or the digits that can be stored MUST be an error of that event alone.',
    check: async () => {
      for (const number of ['1e400', '-1e400', '1e-400', `0.${'7'.repeat(1_001)}`]) {
        const text = `[${eventWith('1')},${eventWith(number)}]`
        const { status, body } = await postText(text)
        expect({ status, sent: body.result.sent }).toEqual({ status: 202, sent: 1 })
        expect(body.result.errors).toEqual([
          {
            index: 1,
            message: expect.stringMatching(/number that cannot be stored: \[properties\]/),
          },
        ])
      }
    },
  },
  {
    id: 'EV-113',
    rule: 'Optional fields that were not sent, or sent as null, MUST be left out of every answer, also within sources.',
    check: async () => {
      const optional = ['message', 'eventClass', 'sender', 'source']
      for (const nothing of [undefined, null]) {
        const absent = Object.fromEntries(optional.map((name) => [name, nothing]))
        for (const event of await readEverywhere(await accept(rawEvent(absent)))) {
          expect(Object.keys(event).filter((name) => optional.includes(name))).toEqual([])
          expect(JSON.stringify(event)).not.toContain('null')
        }
        const none = { ref: nothing, type: nothing, name: nothing, properties: nothing }
        const nameless = rawEvent({ source: none, sender: none })
        for (const event of await readEverywhere(await accept(nameless))) {
          expect([event.source, event.sender]).toEqual([undefined, undefined])
          if ('relatedSources' in event) expect(event.relatedSources).toEqual([])
        }
        const parts = { type: nothing, name: nothing, properties: nothing }
        const sources = { source: { ref: 'a', ...parts }, sender: { ref: 'b', ...parts } }
        for (const event of await readEverywhere(await accept(rawEvent(sources)))) {
          expect(event).toMatchObject({ source: { ref: 'a' }, sender: { ref: 'b' } })
          expect([event.source, event.sender]).toEqual([{ ref: 'a' }, { ref: 'b' }])
          if ('relatedSources' in event)
            expect(event.relatedSources).toEqual([{ ref: 'a' }, { ref: 'b' }])
          expect(JSON.stringify(event)).not.toContain('null')
        }
      }
    },
  },
  {
    id: 'EV-114',
    rule: 'A null among the properties MUST be kept: what a client sends there is no optional field.',
    check: async () => {
      const properties = { nothing: null, deep: [{ nothing: null }] }
      for (const event of await readEverywhere(await accept(rawEvent({ properties }))))
        expect(event.properties).toEqual(properties)
      expect(await post(rawEvent({ properties }))).toMatchObject({ status: 202 })
    },
  },
])
