import { withSettings } from '../../configured.ts'
import { newTitle, post, type Raw, rawEvent, refuse, store } from '../../events.ts'
import { inSection } from '../../row.ts'

const MISSING_TITLE = 'The required field was missing: [title]'

/** When an event that says it was created at `value` was seen, in epoch milliseconds. */
const seenAt = async (value: unknown) => (await store(rawEvent({ createdAt: value }))).lastSeenAt

export const rawEventFields = inSection('EV', 'Resources: RawEvent', [
  {
    id: 'EV-13',
    rule: 'title MUST be present: an event without one gets an error.',
    check: async () => {
      const { title: _, ...untitled } = rawEvent()
      expect(await refuse(untitled)).toBe(MISSING_TITLE)
      expect(await refuse({})).toBe(MISSING_TITLE)
    },
  },
  {
    id: 'EV-14',
    rule: 'A title that is blank, null or no string MUST count as missing.',
    check: async () => {
      for (const title of ['', ' \t', null, 7, true, ['t'], { t: 1 }])
        expect({ title, message: await refuse(rawEvent({ title })) }).toEqual({
          title,
          message: MISSING_TITLE,
        })
    },
  },
  {
    id: 'EV-15',
    rule: 'Nothing but title MUST be required.',
    check: async () => {
      const title = newTitle()
      expect(await store({ title })).toMatchObject({ title, timesSeen: 1 })
    },
  },
  {
    id: 'EV-16',
    rule: 'With EVENTS_STRICT title, source and fingerprintFields MUST be required, and the first one missing in this order be named.',
    check: () =>
      withSettings({ EVENTS_STRICT: 'true' }, async () => {
        const missing = (field: string) => `The required field was missing: [${field}]`
        expect(await refuse({})).toBe(missing('title'))
        expect(await refuse({ title: 'a' })).toBe(missing('source'))
        const source = { ref: 'db-7', type: 'host' }
        for (const fingerprintFields of [undefined, null, []])
          expect(await refuse({ title: 'a', source, fingerprintFields })).toBe(
            missing('fingerprintFields'),
          )
        expect((await post(rawEvent())).status).toBe(202)
      }),
  },
  {
    id: 'EV-17',
    rule: 'source MUST be kept with ref, type, name and properties.',
    check: async () => {
      const source = { ref: 'db-7', type: 'host', name: 'Database 7', properties: { rack: 4 } }
      expect((await store(rawEvent({ source }))).source).toMatchObject(source)
    },
  },
  {
    id: 'EV-18',
    rule: 'sender MUST be kept with ref, type, name and properties.',
    check: async () => {
      const sender = { ref: 'agent-1', type: 'agent', name: 'Agent', properties: { version: '2' } }
      expect((await store(rawEvent({ sender }))).sender).toMatchObject(sender)
    },
  },
  {
    id: 'EV-19',
    rule: 'message MUST be kept as the free text it is.',
    check: async () => {
      const message = 'Größe: 93 %\n<b>"quoted"</b> \\ 💾 \'; drop table events; --'
      expect((await store(rawEvent({ message }))).message).toBe(message)
    },
  },
  {
    id: 'EV-20',
    rule: 'properties MUST keep any keys, with strings and numbers as they were sent.',
    check: async () => {
      const properties = { 'build number': '#12', 'a.b': 1.5, count: 0, empty: '', n: -3 }
      expect((await store(rawEvent({ properties }))).properties).toEqual(properties)
    },
  },
  {
    id: 'EV-21',
    rule: 'properties MUST keep any other JSON value too.',
    check: async () => {
      const properties = {
        list: ['recipe[web]', 1],
        none: [],
        flag: false,
        deep: { a: { b: null } },
      }
      expect((await store(rawEvent({ properties }))).properties).toEqual(properties)
    },
  },
  {
    id: 'EV-153',
    rule: 'An empty container of the other kind (properties [], source [], tags {}), as PHP and Lua send it, MUST count as absent.',
    check: async () => {
      const given = { properties: [], source: [], sender: [], tags: {}, fingerprintFields: {} }
      const stored = await store(rawEvent(given))
      expect(stored).toMatchObject({ properties: {}, tags: [], fingerprintFields: ['@title'] })
      expect(stored).not.toHaveProperty('sender')
      expect(await refuse(rawEvent({ properties: [1] }))).toContain('[properties]')
      expect(await refuse(rawEvent({ tags: { a: 1 } }))).toContain('[tags]')
    },
  },
  {
    id: 'EV-22',
    rule: 'severity MUST be INFO, WARN, ERROR or CRITICAL in any case, stored in upper case; INFO when absent.',
    check: async () => {
      const stored = async (severity: unknown) => (await store(rawEvent({ severity }))).severity
      for (const word of ['INFO', 'WARN', 'ERROR', 'CRITICAL'])
        expect([await stored(word), await stored(word.toLowerCase())]).toEqual([word, word])
      expect(await stored('Warn')).toBe('WARN')
      expect(await stored(undefined)).toBe('INFO')
    },
  },
  {
    id: 'EV-23',
    rule: 'Another word as severity MUST be accepted and kept as sent.',
    check: async () => {
      for (const severity of ['DOWN', 'UNKNOWN', 'Major'])
        expect((await store(rawEvent({ severity }))).severity).toBe(severity)
    },
  },
  {
    id: 'EV-24',
    rule: 'status MUST be OPEN, CLOSED, ACKNOWLEDGED or OK in any case, stored in upper case; OK when absent.',
    check: async () => {
      const stored = async (status: unknown) => (await store(rawEvent({ status }))).status
      for (const word of ['OPEN', 'CLOSED', 'ACKNOWLEDGED', 'OK'])
        expect([await stored(word), await stored(word.toLowerCase())]).toEqual([word, word])
      expect(await stored(undefined)).toBe('OK')
    },
  },
  {
    id: 'EV-25',
    rule: 'Another word as status MUST be accepted and kept as sent.',
    check: async () => {
      expect((await store(rawEvent({ status: 'Muted' }))).status).toBe('Muted')
    },
  },
  {
    id: 'EV-26',
    rule: 'tags MUST be an array of strings and be kept.',
    check: async () => {
      const tags = ['disk', 'needs attention', 'x']
      expect((await store(rawEvent({ tags }))).tags).toEqual(tags)
    },
  },
  {
    id: 'EV-27',
    rule: 'eventClass MUST be kept.',
    check: async () => {
      expect((await store(rawEvent({ eventClass: 'Capacity' }))).eventClass).toBe('Capacity')
    },
  },
  {
    id: 'EV-28',
    rule: 'createdAt MUST be read from ISO 8601, extended or basic and UTC without an offset, with UTC, GMT or a zone (RFC 9557), from RFC 5322, as C, JavaScript, .NET and logs of web servers print times, or epoch seconds, milliseconds, microseconds or nanoseconds, numbers also as strings, with an exponent, too.',
    check: async () => {
      const iso = '2017-09-24T11:05:54.000Z'
      const ms = Date.parse(iso)
      const values = [
        ...[iso, '2017-09-24T13:05:54+02:00', '2017-09-24T11:05:54', '20170924T110554Z'],
        ...['2017-267T11:05:54Z', '2017-W38-7T11:05:54Z', '2017W387T110554Z'],
        ...['1.506251154E12', '1.506251154E9'],
        ...[ms, `${ms}`, ms / 1000, `${ms / 1000}`, ms * 1000, `${ms * 1000}`],
        ...[ms * 1e6, `${ms}000000`, '2017-09-24 11:05:54 UTC', '2017-09-24 11:05:54 +0000 UTC'],
        ...['Sun, 24 Sep 2017 11:05:54 GMT', '2017-09-24T13:05:54+02:00[Europe/Berlin]'],
        ...['Sun Sep 24 11:05:54 2017', 'Sun Sep 24 2017 13:05:54 GMT+0200 (CEST)'],
        ...['24/Sep/2017:13:05:54 +0200', '2017/09/24 11:05:54', `/Date(${ms})/`],
        ...['Sun, 24 Sep 17 11:05:54 +0000', 'Sunday, 24-Sep-17 11:05:54 GMT'],
      ]
      for (const value of values)
        expect({ value, seen: await seenAt(value) }).toEqual({ value, seen: ms })
    },
  },
  {
    id: 'EV-136',
    rule: 'A createdAt that is a date without a time MUST be read as the start of that day, a year and month as the start of that month.',
    check: async () => {
      for (const value of ['2017-09-01', '20170901', '2017-09'])
        expect({ value, seen: await seenAt(value) }).toEqual({
          value,
          seen: Date.parse('2017-09-01T00:00:00Z'),
        })
    },
  },
  {
    id: 'EV-29',
    rule: 'A createdAt that cannot be read MUST be an error of that event.',
    check: async () => {
      for (const createdAt of ['yesterday', {}, [], true, 1e20])
        expect(await refuse(rawEvent({ createdAt }))).toMatch(/createdAt/)
    },
  },
  {
    id: 'EV-30',
    rule: 'A createdAt that is absent, of year 1, or more than five minutes ahead, MUST be replaced by the time of receipt.',
    check: async () => {
      const unset = ['0001-01-01T00:00:00Z', -62135596800]
      for (const value of [undefined, Date.now() + 3_600_000, '9999-12-31', 8e15, ...unset])
        expect(Math.abs((await seenAt(value)) - Date.now())).toBeLessThan(60_000)
      const soon = Date.now() + 60_000
      expect(await seenAt(soon)).toBe(soon)
    },
  },
  {
    id: 'EV-31',
    rule: 'An explicit null MUST mean the same as leaving an optional field out.',
    check: async () => {
      const title = newTitle()
      const nothing: Raw = {}
      for (const field of [
        'fingerprintFields',
        'source',
        'sender',
        'message',
        'properties',
        'severity',
        'status',
        'tags',
        'eventClass',
        'createdAt',
      ])
        nothing[field] = null
      const once = await store({ title })
      const twice = await store({ ...nothing, title })
      expect(twice).toMatchObject({ id: once.id, severity: 'INFO', status: 'OK', timesSeen: 2 })
    },
  },
  {
    id: 'EV-32',
    rule: 'A null within source MUST mean the same as leaving that part out.',
    check: async () => {
      const source = { ref: 'db-7', type: 'host', name: null, properties: null }
      expect(await post(rawEvent({ source }))).toMatchObject({ status: 202 })
    },
  },
  {
    id: 'EV-33',
    rule: 'Unknown fields and fields that the system assigns MUST be ignored: a stored event can be posted again as a whole.',
    check: async () => {
      const stored = await store(rawEvent())
      const again = await store({ ...stored, organizationId: 'org', timesSeen: 99, id: 'mine' })
      expect(again).toMatchObject({
        id: stored.id,
        fingerprint: stored.fingerprint,
        timesSeen: 2,
      })
    },
  },
  {
    id: 'EV-135',
    rule: 'Unknown fields and fields that the system assigns MUST NOT count towards the size of an event, in a call of one event and of many.',
    check: async () => {
      const source = { ref: 'db-7', properties: { text: 'x'.repeat(32_000) } }
      const stored = await store(rawEvent({ source }))
      const again = { ...stored, foo: 'x'.repeat(40_000) }
      expect((await store({ ...stored })).timesSeen).toBe(2)
      expect((await store(again)).timesSeen).toBe(3)
      expect(await post([again, rawEvent()])).toMatchObject({
        status: 202,
        body: { result: { sent: 2 } },
      })
    },
  },
  {
    id: 'EV-34',
    rule: 'A field of the wrong type MUST be an error of that event which names the field, one error per event.',
    check: async () => {
      for (const [field, value] of [
        ['tags', 'disk'],
        ['tags', [1]],
        ['fingerprintFields', '@title'],
        ['fingerprintFields', [7]],
        ['source', 'db-7'],
        ['properties', ['a']],
        ['message', 7],
      ] as const)
        expect({ value, message: await refuse(rawEvent({ [field]: value })) }).toEqual({
          value,
          message: `The field has the wrong type: [${field}]`,
        })
      expect(await refuse(rawEvent({ tags: 1, message: 2, properties: 3 }))).toMatch(
        /^The field has the wrong type: \[\w+\]$/,
      )
    },
  },
])
