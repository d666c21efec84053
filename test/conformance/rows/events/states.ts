import { randomUUID } from 'node:crypto'
import { call, expectError, graphql } from '../../calls.ts'
import { accept, newTitle, post, rawEvent, store } from '../../events.ts'
import { inSection } from '../../row.ts'

const SET_STATUS = `mutation ($input: SetEventStatusInput!) { setEventStatus(input: $input) { status } }`
const CHANGES = `query ($id: ID!) { event(id: $id) {
  status statusHistory(first: 10) { nodes { from: fromStatus to: toStatus changedBy at } } } }`

interface Changed {
  status: string
  statusHistory: { nodes: object[] }
}

export const states = inSection('EV', 'States and transitions', [
  {
    id: 'EV-57',
    rule: 'An event MUST carry the status of its last occurrence.',
    check: async () => {
      const title = newTitle()
      const statusAfter = async (status: string) =>
        (await store(rawEvent({ title, status }))).status
      expect(await statusAfter('OPEN')).toBe('OPEN')
      expect(await statusAfter('CLOSED')).toBe('CLOSED')
      expect(await statusAfter('OPEN')).toBe('OPEN')
      expect(await statusAfter('OK')).toBe('OK')
      expect(await statusAfter('ACKNOWLEDGED')).toBe('ACKNOWLEDGED')
    },
  },
  {
    id: 'EV-58',
    rule: 'An acknowledged event MUST stay acknowledged when it occurs OPEN again, unless its severity rises.',
    check: async () => {
      const title = newTitle()
      const after = (status: string, severity: string) => rawEvent({ title, status, severity })
      const stays = await store(after('ACKNOWLEDGED', 'WARN'), after('OPEN', 'WARN'))
      expect(stays).toMatchObject({ status: 'ACKNOWLEDGED', severity: 'WARN', timesSeen: 2 })
      expect(await store(after('OPEN', 'CRITICAL'))).toMatchObject({ status: 'OPEN', timesSeen: 3 })
    },
  },
  {
    id: 'EV-59',
    rule: 'People MUST be able to acknowledge, close and reopen an event, and see who changed its status when.',
    check: async () => {
      const id = await accept(rawEvent({ status: 'OPEN' }))
      for (const status of ['ACKNOWLEDGED', 'CLOSED', 'OPEN'])
        await graphql(SET_STATUS, { input: { id, status } })
      const { event } = await graphql<{ event: Changed }>(CHANGES, { id })
      expect(event.status).toBe('OPEN')
      expect(event.statusHistory.nodes).toEqual(
        [
          ['CLOSED', 'OPEN'],
          ['ACKNOWLEDGED', 'CLOSED'],
          ['OPEN', 'ACKNOWLEDGED'],
        ].map(([from, to]) => ({
          from,
          to,
          changedBy: 'anonymous',
          at: expect.stringMatching(/Z$/),
        })),
      )
    },
  },
  {
    id: 'EV-132',
    rule: 'One event and many MUST be acknowledged, closed and reopened over REST with a comment, and their history be read there.',
    check: async () => {
      const [id, other] = [await accept(rawEvent()), await accept(rawEvent())]
      const unknown = '00000000-0000-4000-8000-000000000000'
      const acknowledged = await send(`/v1/events/${id}/status`, {
        status: 'ACKNOWLEDGED',
        comment: 'a disk is on its way',
      })
      expect(acknowledged).toMatchObject({ status: 200, body: { id, status: 'ACKNOWLEDGED' } })
      const many = await send('/v1/events/status', { ids: [id, unknown, other], status: 'CLOSED' })
      const outcomes = [
        { id, outcome: 'CHANGED' },
        { id: unknown, outcome: 'NOT_FOUND' },
        { id: other, outcome: 'CHANGED' },
      ]
      expect(many).toMatchObject({ status: 200, body: { items: outcomes } })
      const history = await call<{ items: { at: number }[] }>('GET', `/v1/events/${id}/history`)
      expect(history.body).toMatchObject({
        counts: { total: 2 },
        items: [
          { fromStatus: 'ACKNOWLEDGED', toStatus: 'CLOSED', changedBy: 'anonymous' },
          { toStatus: 'ACKNOWLEDGED', comment: 'a disk is on its way' },
        ],
      })
      expect(Math.abs(Date.now() - (history.body.items[0]?.at ?? 0))).toBeLessThan(60_000)
      for (const [path, body] of [
        [`/v1/events/${id}/status`, { status: 'LOST' }],
        [`/v1/events/${id}/status`, []],
        ['/v1/events/status', { ids: [], status: 'OK' }],
      ] as const)
        expectError(await send(path, body), 400, 'BAD_USER_INPUT')
      expectError(await send(`/v1/events/${unknown}/status`, { status: 'OK' }), 404, 'NOT_FOUND')
    },
  },
  {
    id: 'EV-133',
    rule: 'GET /v1/events/histogram MUST count occurrences by the time of their receipt, a bucket for each interval.',
    check: async () => {
      const tag = newTitle()
      await post([rawEvent({ tags: [tag] }), rawEvent({ tags: [tag] })])
      const query = new URLSearchParams({ q: `tags:"${tag}"`, interval: 'minute' })
      const { body } = await call<{ items: { start: number; occurrences: number }[] }>(
        'GET',
        `/v1/events/histogram?${query}`,
      )
      expect(body.items).toHaveLength(60)
      expect(body.items.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(2)
      expect((body.items[1]?.start ?? 0) - (body.items[0]?.start ?? 0)).toBe(60_000)
      for (const wrong of ['interval=year', 'from=yesterday'])
        expectError(await call('GET', `/v1/events/histogram?${wrong}`), 400, 'BAD_USER_INPUT')
    },
  },
  {
    id: 'EV-134',
    rule: 'Statistics by severity, status and time, and suggestions of fields and values, MUST be readable over REST.',
    check: async () => {
      const tag = newTitle()
      const event = {
        tags: [tag],
        severity: 'CRITICAL',
        status: 'OPEN',
        properties: { [tag]: 'x' },
      }
      await post([rawEvent(event), rawEvent(event)])
      const query = new URLSearchParams({ q: `tags:"${tag}"`, interval: 'minute' })
      const statistics = await call<{ buckets: unknown[] }>('GET', `/v1/events/statistics?${query}`)
      expect(statistics).toMatchObject({
        status: 200,
        body: {
          occurrences: 2,
          events: 2,
          bySeverity: [{ word: 'CRITICAL', occurrences: 2, events: 2 }],
          byStatus: [{ word: 'OPEN', occurrences: 2, events: 2 }],
        },
      })
      expect(statistics.body.buckets).toHaveLength(60)
      const name = `properties.${tag}`
      const prefix = new URLSearchParams({ prefix: name, limit: '5' })
      expect((await call('GET', `/v1/events/fields?${prefix}`)).body).toEqual({
        items: [{ name, hasValues: true }],
      })
      const values = await call('GET', `/v1/events/fields/${encodeURIComponent(name)}/values`)
      expect(values.body).toEqual({ items: [{ value: 'x', events: 2 }] })
      for (const path of ['/v1/events/fields?limit=0', '/v1/events/fields/nothing/values'])
        expectError(await call('GET', path), 400, 'BAD_USER_INPUT')
    },
  },
  {
    id: 'EV-150',
    rule: 'POST /v1/events/import MUST store events of another product with their ids, first and last times, counts and statuses, and change nothing when repeated.',
    check: async () => {
      const id = `former-${randomUUID()}`
      const former = {
        ...{ id, title: id, status: 'ACKNOWLEDGED', severity: 'ERROR', timesSeen: 42 },
        properties: { number: 7 },
        firstSeenAt: 1_500_000_000_000,
        lastSeenAt: 1_600_000_000_000,
        lastUpdatedAt: 1_600_000_000_500,
      }
      const page = { counts: { total: 2 }, items: [former, { id: 'no title' }] }
      const imported = await send('/v1/events/import', page)
      expect(imported).toMatchObject({
        status: 200,
        body: {
          items: [
            { index: 0, outcome: 'CREATED' },
            { index: 1, outcome: 'REFUSED' },
          ],
        },
      })
      const { id: _, ...kept } = former
      expect(await call('GET', `/v1/events/${id}`)).toMatchObject({ status: 200, body: kept })
      expect(await send('/v1/events/import', { items: [former] })).toMatchObject({
        body: { items: [{ index: 0, outcome: 'UNCHANGED' }] },
      })
      expect(await call('GET', `/v1/events/${id}`)).toMatchObject({ body: kept })
      const closed = await send(`/v1/events/${id}/status`, { status: 'CLOSED' })
      expect(closed).toMatchObject({ status: 200, body: { status: 'CLOSED' } })
      for (const body of [{ items: [] }, {}])
        expect(
          expectError(await send('/v1/events/import', body), 400, 'BAD_USER_INPUT').message,
        ).toMatch(/^items: /)
    },
  },
])

const send = (path: string, body: unknown) =>
  call('POST', path, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
