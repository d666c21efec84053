import { areOne, newTitle, type Raw, rawEvent, refuse, store } from '../../events.ts'
import { inSection } from '../../row.ts'

/** Two events that agree in everything but `one` and `other`. */
const pair = (one: Raw, other: Raw, shared: Raw = {}): [Raw, Raw] => {
  const common = { title: newTitle(), ...shared }
  return [rawEvent({ ...common, ...one }), rawEvent({ ...common, ...other })]
}

export const fingerprint = inSection('EV', 'Resources: RawEvent', [
  {
    id: 'EV-35',
    rule: 'fingerprintFields MUST be an array of names and be kept.',
    check: async () => {
      const fingerprintFields = ['@title', 'mount']
      expect((await store(rawEvent({ fingerprintFields }))).fingerprintFields).toEqual(
        fingerprintFields,
      )
      expect(await refuse(rawEvent({ fingerprintFields: 'mount' }))).toContain('fingerprintFields')
    },
  },
  {
    id: 'EV-36',
    rule: '@title MUST refer to the title: another title is another event.',
    check: async () => {
      const titles: [Raw, Raw] = [{ title: newTitle() }, { title: newTitle() }]
      expect(await areOne(...pair(...titles, { fingerprintFields: ['@title'] }))).toBe(false)
      const key = newTitle()
      const byKey = { fingerprintFields: ['key'], properties: { key } }
      expect(await areOne(...pair(...titles, byKey))).toBe(true)
    },
  },
  {
    id: 'EV-37',
    rule: '@message, @status, @severity and @source.name MUST refer to those fields of the event.',
    check: async () => {
      const cases: [string, Raw, Raw][] = [
        ['@message', { message: 'one' }, { message: 'other' }],
        ['@status', { status: 'OPEN' }, { status: 'CLOSED' }],
        ['@severity', { severity: 'WARN' }, { severity: 'ERROR' }],
        [
          '@source.name',
          { source: { ref: 'r', type: 't', name: 'one' } },
          { source: { ref: 'r', type: 't', name: 'other' } },
        ],
      ]
      for (const [field, one, other] of cases) {
        const listed = pair(one, other, { fingerprintFields: ['@title', field] })
        expect([field, await areOne(...listed)]).toEqual([field, false])
        const unlisted = pair(one, other, { fingerprintFields: ['@title'] })
        expect([field, await areOne(...unlisted)]).toEqual([field, true])
      }
    },
  },
  {
    id: 'EV-38',
    rule: 'Any other name MUST refer to a key of properties, whatever it looks like.',
    check: async () => {
      for (const name of ['app_id', 'source', 'sender', 'title', 'build name', 'a.b', 'Title']) {
        const events = pair(
          { properties: { [name]: 'one' } },
          { properties: { [name]: 'other' } },
          { fingerprintFields: ['@title', name] },
        )
        expect([name, await areOne(...events)]).toEqual([name, false])
      }
    },
  },
  {
    id: 'EV-39',
    rule: 'Properties that are not listed MUST NOT count.',
    check: async () => {
      const events = pair({ properties: { used: 1 } }, { properties: { used: 2 } })
      expect(await areOne(...events)).toBe(true)
    },
  },
  {
    id: 'EV-40',
    rule: 'source.ref, source.type and eventClass MUST always count.',
    check: async () => {
      const at = (ref: string, type: string) => ({ source: { ref, type } })
      expect(await areOne(...pair(at('db-7', 'host'), at('db-8', 'host')))).toBe(false)
      expect(await areOne(...pair(at('db-7', 'host'), at('db-7', 'service')))).toBe(false)
      expect(await areOne(...pair({ eventClass: 'A' }, { eventClass: 'B' }))).toBe(false)
      expect(await areOne(...pair({ eventClass: 'A' }, {}))).toBe(false)
    },
  },
  {
    id: 'EV-41',
    rule: 'Parts of the fingerprint MUST NOT run into each other: (ab, c) and (a, bc) differ.',
    check: async () => {
      const at = (ref: string, type: string) => ({ source: { ref, type } })
      expect(await areOne(...pair(at('ab', 'c'), at('a', 'bc')))).toBe(false)
      const listed = { fingerprintFields: ['@title', 'x', 'y'] }
      const [one, other] = [
        { properties: { x: 'ab', y: 'c' } },
        { properties: { x: 'a', y: 'bc' } },
      ]
      expect(await areOne(...pair(one, other, listed))).toBe(false)
    },
  },
  {
    id: 'EV-42',
    rule: 'A name that refers to nothing MUST be ignored and never be an error.',
    check: async () => {
      for (const name of ['@Title', '@nothing', 'no such property', '']) {
        const events = pair(
          { fingerprintFields: ['@title'] },
          { fingerprintFields: ['@title', name] },
        )
        expect([name, await areOne(...events)]).toEqual([name, true])
      }
    },
  },
  {
    id: 'EV-43',
    rule: 'Values that are objects or arrays MUST NOT count.',
    check: async () => {
      for (const [one, other] of [
        [{ a: 1 }, { a: 2 }],
        [[1], [2]],
      ]) {
        const events = pair(
          { properties: { value: one } },
          { properties: { value: other } },
          { fingerprintFields: ['@title', 'value'] },
        )
        expect(await areOne(...events)).toBe(true)
      }
    },
  },
  {
    id: 'EV-44',
    rule: 'A number and the string of its digits MUST differ.',
    check: async () => {
      const listed = { fingerprintFields: ['@title', 'value'] }
      const [number, text] = [{ properties: { value: 42 } }, { properties: { value: '42' } }]
      expect(await areOne(...pair(number, text, listed))).toBe(false)
    },
  },
  {
    id: 'EV-45',
    rule: 'The names MUST be part of the fingerprint: equal values under other names differ.',
    check: async () => {
      const properties = { a: 'same', b: 'same' }
      const [a, b] = [
        { fingerprintFields: ['@title', 'a'] },
        { fingerprintFields: ['@title', 'b'] },
      ]
      expect(await areOne(...pair(a, b, { properties }))).toBe(false)
    },
  },
  {
    id: 'EV-46',
    rule: 'Order and repetition of names MUST make no difference.',
    check: async () => {
      const properties = { a: 1, b: 2 }
      const events = pair(
        { fingerprintFields: ['@title', 'a', 'b'] },
        { fingerprintFields: ['b', '@title', 'a', 'b', '@title'] },
        { properties },
      )
      expect(await areOne(...events)).toBe(true)
    },
  },
  {
    id: 'EV-47',
    rule: 'Without fingerprintFields, or with none in it, the fingerprint MUST be formed by @title.',
    check: async () => {
      const fingerprintFields = ['@title']
      for (const none of [undefined, []]) {
        const events = pair({ fingerprintFields: none }, { fingerprintFields })
        expect(await areOne(...events)).toBe(true)
        expect((await store(events[0])).fingerprintFields).toEqual(fingerprintFields)
      }
    },
  },
  {
    id: 'EV-48',
    rule: 'A stored event MUST carry its id, fingerprint, fields, first and last times as epoch milliseconds, and how often it was seen.',
    check: async () => {
      const stored = await store(
        rawEvent({ eventClass: 'Capacity', sender: { ref: 'agent-1', type: 'agent' } }),
      )
      expect(Object.keys(stored)).toEqual(
        expect.arrayContaining([
          ...['id', 'fingerprint', 'fingerprintFields', 'title', 'message', 'severity', 'status'],
          ...['source', 'sender', 'properties', 'tags', 'eventClass', 'relatedSources'],
        ]),
      )
      for (const at of [stored.firstSeenAt, stored.lastSeenAt, stored.lastUpdatedAt]) {
        expect(Number.isInteger(at)).toBe(true)
        expect(Math.abs(at - Date.now())).toBeLessThan(60_000)
      }
      expect(stored).toMatchObject({ fingerprint: expect.stringMatching(/\S/), timesSeen: 1 })
    },
  },
])
