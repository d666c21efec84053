import { randomUUID } from 'node:crypto'
import { call, expectError } from '../../calls.ts'
import { underCheck } from '../../configured.ts'
import {
  accept,
  follow,
  linkTo,
  list,
  newTitle,
  post,
  postText,
  rawEvent,
  read,
  refusedAsAWhole,
  type StoredEvent,
} from '../../events.ts'
import { inSection } from '../../row.ts'

const valid = () => rawEvent()
const invalid = () => rawEvent({ title: null })
const missing = (index: number) => ({ index, message: 'The required field was missing: [title]' })
const accepted = (index: number) => ({ index, id: expect.stringMatching(/\S/) })

/** Asserts status and the whole body. */
async function expectAnswer(body: unknown, status: number, result: object): Promise<void> {
  const answer = await post(body)
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { result } })
}

export const endpoints = inSection('EV', 'Endpoints', [
  {
    id: 'EV-60',
    rule: 'POST /v1/events MUST take one event as an object, or many as an array.',
    check: async () => {
      expect(await post(valid())).toMatchObject({ status: 202 })
      expect(await post([valid()])).toMatchObject({ status: 202 })
    },
  },
  {
    id: 'EV-61',
    rule: 'The content type MUST be application/json, with or without a charset; any other, also one that ends with +json, or none, is refused with 415.',
    check: async () => {
      const text = JSON.stringify(valid())
      for (const type of [
        'application/json',
        'application/json; charset=utf-8',
        'Application/JSON',
      ])
        expect(await postText(text, { 'content-type': type })).toMatchObject({ status: 202 })
      for (const type of [
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'application/cloudevents+json',
        'application/vnd.api+json; charset=utf-8',
      ]) {
        const { status, body } = await postText(text, { 'content-type': type })
        expect({ type, status, body }).toEqual({ type, status: 415, body: refusedAsAWhole() })
      }
      const untyped = await call('POST', '/v1/events', { body: new TextEncoder().encode(text) })
      expect(untyped).toMatchObject({ status: 415, body: refusedAsAWhole() })
    },
  },
  {
    id: 'EV-62',
    rule: 'A single valid event MUST be answered with 202, success "true", sent 1 and one accepted element.',
    check: () => expectAnswer(valid(), 202, { sent: 1, success: 'true', accepted: [accepted(0)] }),
  },
  {
    id: 'EV-63',
    rule: 'A single invalid event MUST be answered with 400, success "false", sent 0 and one element in errors.',
    check: () => expectAnswer(invalid(), 400, { sent: 0, success: 'false', errors: [missing(0)] }),
  },
  {
    id: 'EV-64',
    rule: 'An array of valid events MUST be answered with 202, success "true", sent as its length and all of them accepted.',
    check: async () => {
      for (const length of [1, 2, 7])
        await expectAnswer(Array.from({ length }, valid), 202, {
          sent: length,
          success: 'true',
          accepted: Array.from({ length }, (_, index) => accepted(index)),
        })
    },
  },
  {
    id: 'EV-65',
    rule: 'An array with valid and invalid events MUST be answered with 202, success "partial", sent as the number of valid ones, and both lists.',
    check: async () => {
      await expectAnswer([valid(), invalid()], 202, {
        sent: 1,
        success: 'partial',
        accepted: [accepted(0)],
        errors: [missing(1)],
      })
      await expectAnswer([invalid(), valid(), valid(), invalid(), valid()], 202, {
        sent: 3,
        success: 'partial',
        accepted: [accepted(1), accepted(2), accepted(4)],
        errors: [missing(0), missing(3)],
      })
    },
  },
  {
    id: 'EV-66',
    rule: 'An array of invalid events MUST be answered with 400, success "false", sent 0 and all of them in errors.',
    check: async () => {
      for (const length of [1, 3])
        await expectAnswer(Array.from({ length }, invalid), 400, {
          sent: 0,
          success: 'false',
          errors: Array.from({ length }, (_, index) => missing(index)),
        })
    },
  },
  {
    id: 'EV-67',
    rule: 'An element of the array that is no object MUST be an error of that element only.',
    check: async () => {
      for (const element of [7, 'text', null, true, [], [valid()]]) {
        const { status, body } = await post([valid(), element])
        expect({ element, status, body }).toEqual({
          element,
          status: 202,
          body: {
            result: {
              sent: 1,
              success: 'partial',
              accepted: [accepted(0)],
              errors: [{ index: 1, message: expect.stringMatching(/\S/) }],
            },
          },
        })
      }
    },
  },
  {
    id: 'EV-68',
    rule: 'GET /v1/events/{id} MUST give one stored event; an unknown id is answered with 404.',
    check: async () => {
      const { body } = await post(valid())
      const id = body.result.accepted?.[0]?.id ?? ''
      expect(await read(id)).toMatchObject({ status: 200, body: { id } })
      for (const unknown of ['no-such-event', '00000000-0000-4000-8000-000000000000'])
        expectError(await read(unknown), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'EV-69',
    rule: 'GET /v1/events MUST list events as counts.total and items, selected by q in Lucene syntax.',
    check: async () => {
      const tag = newTitle()
      const shared = { tags: [tag], severity: 'CRITICAL' }
      const id = await accept(rawEvent({ ...shared, status: 'OPEN' }))
      await accept(rawEvent({ ...shared, status: 'CLOSED', properties: { pct: 91 } }))
      await accept(rawEvent({ ...shared, tags: [tag, 'ticketed'] }))
      const q = `severity:CRITICAL AND tags:"${tag}" AND -tags:ticketed`
      const { status, body } = await list<StoredEvent>('', { q: `${q} AND status:OPEN` })
      expect({ status, body }).toEqual({
        status: 200,
        body: { counts: { total: 1 }, items: [(await read(id)).body] },
      })
      expect((await list('', { q })).body.counts.total).toBe(2)
      expectError(await list('', { q: 'severity:' }), 400, 'BAD_USER_INPUT')
      const total = async (more: string) =>
        (await list('', { q: `tags:"${tag}" AND ${more}` })).body.counts.total
      expect(await total('*:*')).toBe(3)
      expect(await total('_exists_:properties.pct')).toBe(1)
      expect(await total('properties.pct:>90')).toBe(1)
      expect(await total('properties.pct:(>=91 AND <91)')).toBe(0)
      expect(await total('severity:crit*')).toBe(3)
      for (const q of ['title:/dis.*/', 'disk~', 'disk^2'])
        expectError(await list('', { q }), 400, 'BAD_USER_INPUT')
    },
  },
  {
    id: 'EV-152',
    rule: 'In q, an operator sign before a blank MUST be text, an operator where none can stand MUST be 400 with its place, and times MAY be relative to now.',
    check: async () => {
      const word = newTitle()
      await accept(rawEvent({ title: `${word} full` }))
      const total = async (q: string) => (await list('', { q })).body.counts.total
      const recent =
        'lastSeenAt:[now-1h TO now+1m] lastSeenAt:>now-7d -lastSeenAt:<now-15m lastSeenAt:>=now/d-1d'
      for (const q of [`"${word}" - full`, `"${word}" ! full`, `"${word}" ${recent}`])
        expect({ q, total: await total(q) }).toEqual({ q, total: 1 })
      for (const [q, place] of [
        ['status:!OPEN', 8],
        ['status:NOT OPEN', 8],
        ['a OR OR b', 6],
      ]) {
        const { message } = expectError(await list('', { q: String(q) }), 400, 'BAD_USER_INPUT')
        expect(message).toContain(`at character ${place}:`)
      }
    },
  },
  {
    id: 'EV-154',
    rule: 'counts.total MUST count what the list held when its page was read, also while events are ingested.',
    check: async () => {
      const eventClass = newTitle()
      const q = `eventClass:"${eventClass}"`
      let isOver = false
      const ingest = async (): Promise<void> => {
        for (let events = 0; events < 300 && !isOver; events++)
          await accept(rawEvent({ eventClass, title: newTitle(), fingerprintFields: [] }))
      }
      const ingesting = [ingest(), ingest(), ingest()]
      try {
        for (const path of Array.from({ length: 20 }, () => ['', '/raw']).flat()) {
          const { body } = await list(path, { q, limit: '1000' })
          expect(body.counts.total).toBe(body.items.length)
          const last = await list(path, { q, limit: '1' })
          if (!last.headers.get('link')?.includes('rel="next"'))
            expect(last.body.counts.total).toBe(last.body.items.length)
        }
      } finally {
        isOver = true
        await Promise.all(ingesting)
      }
    },
  },
  {
    id: 'EV-151',
    rule: 'An unknown query parameter of a list or a count of events MUST be refused with 400 naming it and the known ones.',
    check: async () => {
      const id = await accept(valid())
      const pages = ['', '/raw', `/${id}/raw`, `/${id}/history`]
      const spans = ['/histogram', '/statistics', `/${id}/histogram`]
      const suggestions = ['/fields', '/fields/severity/values']
      for (const [paths, known] of [
        [pages, ['limit', 'cursor']],
        [spans, ['interval', 'from', 'to']],
        [suggestions, ['prefix', 'limit']],
      ] as const)
        for (const path of paths) {
          const { message } = expectError(await list(path, { foo: '1' }), 400, 'BAD_USER_INPUT')
          for (const word of ['foo', ...known])
            expect({ path, message }).toEqual({ path, message: expect.stringContaining(word) })
        }
    },
  },
  {
    id: 'EV-70',
    rule: 'Reading lists MUST page by cursor and limit (1 to 1000, 50 by default), with the next page in Link.',
    check: async () => {
      const tag = newTitle()
      const titles = Array.from({ length: 5 }, newTitle)
      await post(titles.map((title) => rawEvent({ title, tags: [tag] })))
      const q = `tags:"${tag}"`
      for (const path of ['', '/raw']) {
        const seen: string[] = []
        const back: string[] = []
        let page = await list<StoredEvent>(path, { q, limit: '2' })
        for (;;) {
          expect(page.body.counts).toEqual({ total: 5 })
          seen.push(...page.body.items.map(({ title }) => title))
          const next = linkTo(page, 'next')
          if (!next) break
          page = await follow(next)
        }
        for (let prev = linkTo(page, 'prev'); prev; prev = linkTo(page, 'prev')) {
          page = await follow<StoredEvent>(prev)
          back.unshift(...page.body.items.map(({ title }) => title))
        }
        expect(seen.toSorted()).toEqual(titles.toSorted())
        expect(back).toEqual(seen.slice(0, 4))
      }
      await post(Array.from({ length: 51 }, () => rawEvent()))
      expect((await list('', {})).body.items).toHaveLength(50)
      for (const limit of ['0', '1001', '-1', 'many', ''])
        expectError(await list('', { limit }), 400, 'BAD_USER_INPUT')
      for (const cursor of ['nonsense', '~', '%00'])
        expectError(await list('/raw', { cursor }), 400, 'BAD_USER_INPUT')
    },
  },
  {
    id: 'EV-155',
    rule: 'GET /v1/events MUST sort by firstSeenAt, lastSeenAt, timesSeen, severity by rank, status or title, either way, in every page; another attribute, several, or the cursor of another order is 400.',
    check: async () => {
      const tag = newTitle()
      const events = [
        { title: 'b ä %2', severity: 'ERROR', status: 'OPEN', times: 2 },
        { title: 'a', severity: 'INFO', status: 'CLOSED', times: 3 },
        { title: 'c c', severity: 'CRITICAL', status: 'OPEN', times: 1 },
        { title: 'd', severity: 'WARN', status: 'ACKNOWLEDGED', times: 1 },
        { title: 'e', severity: 'WARN', status: 'OPEN', times: 4 },
      ]
      const eventClass = newTitle()
      for (const { times, ...event } of events)
        for (let i = 0; i < times; i++)
          await accept(rawEvent({ ...event, eventClass, tags: [tag] }))
      const pageBy = async (sort: string, q: string) => {
        const seen: StoredEvent[] = []
        for (let page = await list<StoredEvent>('', { q, sort, limit: '2' }); ; ) {
          expect(page.body.counts).toEqual({ total: 5 })
          seen.push(...page.body.items)
          const next = linkTo(page, 'next')
          if (!next) return seen
          expect(next).toContain('sort=')
          page = await follow(next)
        }
      }
      const ranks = ['INFO', 'WARN', 'ERROR', 'CRITICAL']
      const valuesOf: Record<string, (event: StoredEvent) => string | number> = {
        severity: ({ severity }) => ranks.indexOf(String(severity)),
        timesSeen: ({ timesSeen }) => Number(timesSeen),
        status: ({ status }) => String(status),
        firstSeenAt: ({ firstSeenAt }) => Date.parse(String(firstSeenAt)),
        lastSeenAt: ({ lastSeenAt }) => Date.parse(String(lastSeenAt)),
        title: ({ title }) => title,
      }
      const compare = (a: string | number, b: string | number) => Number(a > b) - Number(a < b)
      const some = `tags:"${tag}"`
      // Parts of the second query are in no search table.
      for (const q of [some, `${some} OR (timesSeen:>0 AND ${some})`])
        for (const [attribute, readValue] of Object.entries(valuesOf)) {
          const rising = await pageBy(attribute, q)
          const ids = rising.map(({ id }) => id)
          expect(new Set(ids).size).toBe(5)
          const falling = await pageBy(`${attribute},desc`, q)
          expect(falling.map(({ id }) => id)).toEqual(ids.toReversed())
          expect(rising.map(readValue)).toEqual(rising.map(readValue).toSorted(compare))
        }
      const first = await list('', { q: `tags:"${tag}"`, sort: 'title', limit: '1' })
      const cursor = new URL(linkTo(first, 'next') ?? '', 'http://a').searchParams.get('cursor')
      for (const sort of ['title,desc', 'severity', ''])
        expectError(
          await list('', { q: `tags:"${tag}"`, cursor: cursor ?? '', ...(sort && { sort }) }),
          ...([400, 'BAD_USER_INPUT'] as const),
        )
      for (const [sort, value] of [
        ['title', '%00'],
        ['title', '%'],
        ['severity', '99999999999'],
        ['firstSeenAt', '-999999999999999'],
      ] as const) {
        const forged = Buffer.from(`${sort},ASC ${value} ${randomUUID()}`).toString('base64url')
        expectError(await list('', { sort, cursor: forged }), 400, 'BAD_USER_INPUT')
      }
      for (const sort of ['message', 'title,up', 'title,asc,desc'])
        expectError(await list('', { sort }), 400, 'BAD_USER_INPUT')
    },
  },
  {
    id: 'EV-115',
    rule: 'counts.total MUST be exact up to 10 000, and beyond be exact or marked by the header X-Total-Count-Estimated: true.',
    check: async () => {
      const tag = newTitle()
      await post(Array.from({ length: 10_000 }, () => rawEvent({ tags: [tag] })))
      await post([rawEvent()])
      for (const path of ['', '/raw']) {
        const exact = await list(path, { q: `tags:"${tag}"`, limit: '1' })
        expect(exact.body.counts).toEqual({ total: 10_000 })
        expect(exact.headers.get('x-total-count-estimated')).toBeNull()
        const estimated = await list(path, { limit: '1' })
        expect(estimated.body.counts.total).toBeGreaterThan(10_000)
        expect(estimated.headers.get('x-total-count-estimated')).toBe('true')
      }
    },
  },
  {
    id: 'EV-71',
    rule: 'An answer of 202 MUST mean that the events are committed: they are readable at once.',
    check: async () => {
      const { body } = await post(Array.from({ length: 20 }, valid))
      const ids = body.result.accepted?.map(({ id }) => id) ?? []
      expect(ids).toHaveLength(20)
      for (const { status } of await Promise.all(ids.map(read))) expect(status).toBe(200)
    },
  },
  {
    id: 'EV-72',
    rule: 'Events that were answered with 202 MUST survive a crash of product and database.',
    check: async () => {
      const assay = await underCheck()
      const tag = newTitle()
      const { body } = await post(Array.from({ length: 20 }, () => rawEvent({ tags: [tag] })))
      await assay.kill(assay.parts.events, 'SIGKILL')
      await assay.restart(assay.parts.events)
      const { items } = (await list<StoredEvent>('', { q: `tags:"${tag}"` })).body
      const accepted = body.result.accepted?.map(({ id }) => id) ?? []
      expect(items.map(({ id }) => id).toSorted()).toEqual(accepted.toSorted())
    },
  },
  {
    id: 'EV-73',
    rule: 'The same Idempotency-Key MUST replay the first answer for 24 hours and count nothing twice; with another body it is refused with 422, and a refused call takes no key.',
    check: async () => {
      const key = { 'idempotency-key': newTitle() }
      const body = [rawEvent(), {}]
      const answers = await Promise.all([post(body, key), post(body, key), post(body, key)])
      const [first] = answers
      for (const answer of answers)
        expect(answer).toMatchObject({ status: 202, body: first?.body ?? {} })
      const replayed = answers.map(({ headers }) => headers.get('idempotent-replayed'))
      expect(replayed.filter((header) => header === 'true')).toHaveLength(2)
      const id = first?.body.result.accepted?.[0]?.id ?? ''
      expect((await read(id)).body.timesSeen).toBe(1)
      for (const other of [JSON.stringify([rawEvent()]), `${JSON.stringify(body)} `])
        expect(await postText(other, { 'content-type': 'application/json', ...key })).toMatchObject(
          { status: 422, body: refusedAsAWhole() },
        )
      const large = { 'idempotency-key': newTitle() }
      const parts = [...Array.from({ length: 2_000 }, () => ({})), rawEvent()]
      const stored = await post(parts, large)
      expect(stored.status).toBe(202)
      expect(await post(parts, large)).toMatchObject({ status: 202, body: stored.body })
      const unused = { 'idempotency-key': newTitle() }
      expect((await post({}, unused)).status).toBe(400)
      const afterwards = await post(rawEvent(), unused)
      expect(afterwards.status).toBe(202)
      expect(afterwards.headers.get('idempotent-replayed')).toBeNull()
    },
  },
])
