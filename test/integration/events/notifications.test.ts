import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { type Orm, startOrm } from '../../../platform/database/orm.ts'
import { ARTIFACT_STORED, type ArtifactStored } from '../../../platform/jobs/artifact-stored.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { createSecrets } from '../../../platform/secrets.ts'
import { STORAGE } from '../../../subgraphs/events/index.ts'
import type { NotificationBody } from '../../../subgraphs/events/notifications/notification.ts'
import { type Collected, type Collector, startCollector, status } from '../../support/collector.ts'
import { type Data, type RunningEvents, runEvents } from '../../support/events/running-events.ts'
import { eventually } from '../../support/eventually.ts'

const SIGNING_SECRET = `whsec_${randomBytes(32).toString('base64')}`
const keys = { secretsKey: randomBytes(32).toString('base64') }
const secrets = createSecrets(keys)
const delivery = {
  outbound: createOutbound({ allow: ['127.0.0.0/8'], ownPorts: [] }),
  keys,
  signingSecret: SIGNING_SECRET,
}

let events: RunningEvents
let orm: Orm
let collector: Collector
beforeAll(async () => {
  events = await runEvents(
    { notificationGroups: 3, publicUrl: 'https://assay.example' },
    undefined,
    undefined,
    delivery,
  )
  orm = await startOrm({ url: events.url, ...STORAGE })
  collector = await startCollector()
})
beforeEach(() => collector.answer(status(204)))
afterAll(async () => {
  await collector.stop()
  await orm.close()
  await events.stop()
})

let stored = 0
/** Sends an artifact as test execution does, and waits until it is taken over. */
async function store(kind: string, id: string, fields: object | null, url = ''): Promise<void> {
  const sealed: Record<string, string> = url ? { url: secrets.seal(url) } : {}
  stored += 1
  const at = String(BigInt(Date.now()) * 1_000n + BigInt(stored))
  const artifact = { kind, id, at, fields: fields && { name: id, ...fields }, sealed }
  await orm.em
    .fork()
    .transactional((em) =>
      events.jobs.enqueue(em, ARTIFACT_STORED.name, artifact satisfies ArtifactStored),
    )
  await eventually(async () => {
    const rows = await events.sql(
      'select from events.forwarded_artifact where kind = $1 and at = $2',
      [kind, at],
    )
    expect(rows).toHaveLength(1)
  })
}

const RULE = {
  on: ['OPENED', 'REOPENED', 'RAISED', 'RESOLVED'],
  groupBy: [],
  groupWait: '0s',
  groupInterval: '0s',
  flappingAfter: 100,
  flappingWithin: '15m',
  enabled: true,
}

/** A rule of its own over the events of a class, with a channel of its own. */
async function rule(name: string, fields: object = {}, kind = 'webhook'): Promise<void> {
  await store('channel', name, { kind, to: [] }, `${collector.url}/${name}`)
  await store('rule', name, { ...RULE, query: `eventClass:${name}`, channels: [name], ...fields })
}

const send = async (eventClass: string, ...given: object[]): Promise<string[]> =>
  (
    await events.ingest(
      given.map((each) => ({
        ...{ title: 'Disk full', status: 'OPEN', severity: 'ERROR', eventClass },
        ...each,
      })),
    )
  ).accepted.map(({ id }: { id: string }) => id)

const to = (name: string) => (request: Collected) => request.path === `/${name}`
const bodyOf = ({ body }: Collected): NotificationBody => JSON.parse(body).data
/** `reason title:KINDS` */
const textOf = (request: Collected): string => {
  const { reason, changes, open } = bodyOf(request)
  const changed = changes.map(({ event, kinds }) => `${event.title}:${kinds.join('+')}`).sort()
  return [reason, ...changed, ...(open.length > 0 ? [`(${open.length})`] : [])].join(' ')
}
const received = async (name: string, count: number): Promise<string[]> =>
  (await collector.received(count, to(name))).map(textOf)
const list = async (channelId: string): Promise<Data[]> =>
  (
    await events.run(
      `query ($channelId: ID!) { notifications(channelId: $channelId) { totalCount
        nodes { id messageId ruleId state body attempts { status error } } } }`,
      { channelId },
    )
  ).notifications.nodes

test('an opening and its end are notified once each, signed as callbacks are', async () => {
  await rule('plain', { text: 'Call the night shift' })
  const [id] = await send('plain', { source: { ref: 'db-1', name: 'Database' } })
  await collector.received(1, to('plain'))
  await send('plain', {}, { source: { ref: 'db-1' } })
  // Changes that are judged together are one notification.
  await collector.received(2, to('plain'))
  await send('plain', { status: 'OK', source: { ref: 'db-1' } })
  const requests = await collector.received(3, to('plain'))
  expect(requests.map(textOf)).toEqual([
    'first Disk full:OPENED',
    'change Disk full:OPENED (1)',
    'change Disk full:RESOLVED (1)',
  ])
  const [first] = requests
  const headers = first?.headers as Record<string, string>
  expect(new Webhook(SIGNING_SECRET).verify(first?.body ?? '', headers)).toMatchObject({
    type: 'notification',
    data: {
      rule: { id: 'plain', name: 'plain', text: 'Call the night shift' },
      changes: [
        {
          event: {
            ...{ id, severity: 'ERROR', source: { ref: 'db-1', name: 'Database' } },
            url: `https://assay.example/events/${id}`,
          },
          from: null,
        },
      ],
    },
  })
  await eventually(async () =>
    expect(await list('plain')).toMatchObject(
      requests.map(() => ({ ruleId: 'plain', state: 'DELIVERED', attempts: [{ status: 204 }] })),
    ),
  )
})

test('a rule that matches nothing of it notifies nothing, and groups have values of their own', async () => {
  await rule('grouped', {
    groupBy: ['source.ref'],
    query: 'eventClass:grouped AND severity:CRITICAL',
  })
  await send('grouped', { source: { ref: 'low' } })
  await send('grouped', ...['a', 'b'].map((ref) => ({ severity: 'CRITICAL', source: { ref } })))
  const requests = await collector.received(2, to('grouped'))
  expect(requests.map((request) => bodyOf(request).group['source.ref']).sort()).toEqual(['a', 'b'])
})

test('more groups than NOTIFICATION_GROUPS share one, and no change is lost', async () => {
  await rule('crowded', { groupBy: ['source.ref'] })
  const refs = Array.from({ length: 20 }, (_, at) => ({ source: { ref: `r${at}` } }))
  await send('crowded', ...refs)
  await eventually(async () => {
    const bodies = collector.requests.filter(to('crowded')).map(bodyOf)
    const total = bodies.reduce((sum, { changesTotal }) => sum + changesTotal, 0)
    expect([total, bodies.length < 10]).toEqual([20, true])
  })
})

test('thousands of events of one rule are one group, few notifications, and each is in exactly one', async () => {
  await rule('flood', { groupWait: '1s', groupInterval: '1s' })
  for (let part = 0; part < 3; part++)
    await send('flood', ...Array.from({ length: 1_000 }, (_, at) => ({ title: `t${part}-${at}` })))
  await eventually(async () => {
    const [row] = await events.sql(
      `select sum((body ->> 'changesTotal')::int)::int as total, count(*)::int as sent,
        max(jsonb_array_length(body -> 'changes')) as shown
       from events.notification where rule_id = 'flood'`,
    )
    expect(row).toMatchObject({ total: 3_000, shown: 100 })
    expect(row.sent).toBeLessThan(30)
  })
}, 120_000)

test('what a receiver refused goes out with what came since, as one message under another id', async () => {
  await rule('away')
  collector.answer(status(503))
  await send('away', { title: 'A' })
  const [refused] = await collector.received(1, to('away'))
  await send('away', { title: 'B' })
  await send('away', { title: 'A', status: 'OK' })
  collector.answer(status(204))
  expect(await received('away', 2)).toEqual(['first A:OPENED', 'first A:OPENED+RESOLVED B:OPENED'])
  const last = collector.requests.filter(to('away')).at(-1)
  expect(last?.headers['webhook-id']).not.toBe(refused?.headers['webhook-id'])
  await eventually(async () =>
    expect(await list('away')).toMatchObject([
      { state: 'DELIVERED', attempts: [{ status: 503 }, { status: 204 }] },
    ]),
  )
}, 60_000)

test('what found no connection takes in what came since', async () => {
  await rule('absent')
  await store('channel', 'absent', { kind: 'webhook', to: [] }, 'http://127.0.0.1:1/')
  await send('absent', { title: 'A' })
  await eventually(async () =>
    expect(await list('absent')).toMatchObject([
      { state: 'PENDING', attempts: [{ status: null }] },
    ]),
  )
  await send('absent', { title: 'B' })
  await store('channel', 'absent', { kind: 'webhook', to: [] }, `${collector.url}/absent`)
  expect(await received('absent', 1)).toEqual(['first A:OPENED B:OPENED'])
}, 60_000)

test('what was lost on the way is repeated under the same id, and news wait behind it', async () => {
  await rule('lossy')
  collector.answer((response) => void response.destroy())
  await send('lossy', { title: 'A' })
  await collector.received(1, to('lossy'))
  await send('lossy', { title: 'B' })
  collector.answer(status(204))
  expect(await received('lossy', 3)).toEqual([
    'first A:OPENED',
    'first A:OPENED',
    'change B:OPENED (1)',
  ])
  const ids = collector.requests.filter(to('lossy')).map(({ headers }) => headers['webhook-id'])
  expect(ids[1]).toBe(ids[0])
}, 60_000)

const SUPPRESSED = `{ silencePreview(id: "work") { isActive total
  events { title silences { silenceId name reason until } } } }`

test('a silence keeps changes back, lets the end through, and is followed by what is still open', async () => {
  await rule('quiet')
  await send('quiet', { title: 'told' })
  await collector.received(1, to('quiet'))
  const silence = { query: 'eventClass:quiet', reason: 'work', notifyAtEnd: true }
  await store('silence', 'work', { ...silence, until: '2100-01-01T00:00:00Z' })
  await send('quiet', { title: 'kept' })
  await send('quiet', { title: 'told', status: 'OK' })
  expect(await received('quiet', 2)).toEqual(['first told:OPENED', 'change told:RESOLVED'])
  await eventually(async () =>
    expect(await events.run(SUPPRESSED)).toEqual({
      silencePreview: {
        ...{ isActive: true, total: 1 },
        events: [
          {
            title: 'kept',
            silences: [
              { silenceId: 'work', name: 'work', reason: 'work', until: '2100-01-01T00:00:00Z' },
            ],
          },
        ],
      },
    }),
  )
  await store('silence', 'work', null)
  const { errors } = await events.answer(SUPPRESSED)
  expect(errors?.[0]).toMatchObject({ extensions: { code: 'NOT_FOUND' } })
  expect((await received('quiet', 3)).at(-1)).toBe('silenceEnded kept:SILENCE_ENDED')
})

test('a silence until it is resolved ends itself, and the next opening is notified', async () => {
  await rule('until')
  await store('silence', 'until', { query: 'eventClass:until', reason: 'known', until: 'RESOLVED' })
  await send('until', { title: 'kept' })
  await send('until', { title: 'kept', status: 'OK' })
  await eventually(async () =>
    expect(
      await events.sql(
        `select is_deleted, is_active from events.forwarded_artifact where id = 'until' and kind = 'silence'`,
      ),
    ).toEqual([{ is_deleted: true, is_active: false }]),
  )
  await send('until', { title: 'kept' })
  expect(await received('until', 1)).toEqual(['first kept:REOPENED'])
})

test('a person who closes an event is a change like others', async () => {
  await rule('people')
  const [id] = await send('people', {})
  await collector.received(1, to('people'))
  await events.run(
    'mutation ($input: SetEventStatusInput!) { setEventStatus(input: $input) { id } }',
    { input: { id, status: 'CLOSED' } },
  )
  expect((await received('people', 2)).at(-1)).toBe('change Disk full:RESOLVED')
})

test('an event that a person closed regresses; one whose sender reported its end is reopened', async () => {
  await rule('fixed', { on: ['REGRESSED', 'RESOLVED'] })
  await rule('back', { on: ['REOPENED'], query: 'eventClass:fixed' })
  const [mended] = await send('fixed', { title: 'mended' }, { title: 'flaky' }, { title: 'stale' })
  const close = (id: string | undefined, status: string) =>
    events.run('mutation ($input: SetEventStatusInput!) { setEventStatus(input: $input) { id } }', {
      input: { id, status },
    })
  await close(mended, 'CLOSED')
  await events.sql(`
    with closed as (update events.event set status = 'CLOSED' where title = 'stale' returning id)
    insert into events.status_change
      (event_id, at, changed_by, from_status, to_status, from_severity, to_severity, position)
    select id, now(), 'EVENTS_RESOLVE_AFTER', 'OPEN', 'CLOSED', 'ERROR', 'ERROR', events.next_position() from closed`)
  await send('fixed', { title: 'flaky', status: 'OK' })
  for (const title of ['flaky', 'stale', 'mended']) await send('fixed', { title })
  const kinds = (name: string) =>
    collector.requests
      .filter(to(name))
      .map(textOf)
      .join()
      .match(/\w+:\w+/g)
      ?.sort()
  await eventually(async () => {
    expect(kinds('back')).toEqual(['flaky:REOPENED', 'mended:REGRESSED', 'stale:REOPENED'])
    expect(kinds('fixed')).toEqual(['mended:REGRESSED'])
  })
  // It is no regression that a person opens it again, and the end of one is notified.
  await close(mended, 'CLOSED')
  await close(mended, 'OPEN')
  await eventually(async () => expect(kinds('back')).toContain('mended:REOPENED'))
  expect((await received('fixed', 2)).at(-1)).toBe('change mended:RESOLVED')
  const { rulePreview } = await events.run(
    'query { rulePreview(id: "fixed") { total notifications { titles } } }',
  )
  expect(rulePreview).toEqual({
    total: 2,
    notifications: [{ titles: ['mended'] }, { titles: ['mended'] }],
  })
})

test('a channel of Slack gets text alone, escaped, and its refusal is final and kept', async () => {
  await rule('slack', {}, 'slack')
  collector.answer((response) => void response.writeHead(404).end('no_service'))
  const [id] = await send('slack', { title: '<!channel> <https://a|b> &lt; *x*' })
  const [request] = await collector.received(1, to('slack'))
  expect(JSON.parse(request?.body ?? '')).toEqual({
    text: `slack\nERROR opened: &lt;!channel&gt; &lt;https://a|b&gt; &amp;lt; *x*\n  https://assay.example/events/${id}`,
    mrkdwn: false,
    unfurl_links: false,
  })
  await eventually(async () =>
    expect(await list('slack')).toMatchObject([
      { state: 'DEAD', attempts: [{ status: 404, error: 'no_service' }] },
    ]),
  )
  const [dead] = await list('slack')
  collector.answer(status(200))
  await events.run(
    'mutation ($input: RedeliverNotificationInput!) { redeliverNotification(input: $input) { state } }',
    { input: { id: dead?.id } },
  )
  await collector.received(2, to('slack'))
  await eventually(async () => expect(await list('slack')).toMatchObject([{ state: 'DELIVERED' }]))
})

test('a test of a channel says what the other side answered', async () => {
  const attempt = async (): Promise<Data> =>
    (
      await events.run(
        'mutation ($input: TestChannelInput!) { testChannel(input: $input) { status error } }',
        { input: { id: 'tried' } },
      )
    ).testChannel
  // Called while the channel is on its way.
  const [tried] = await Promise.all([
    attempt(),
    store('channel', 'tried', { kind: 'webhook', to: [] }, `${collector.url}/tried`),
  ])
  expect(tried).toEqual({ status: 204, error: null })
  collector.answer(status(500))
  expect(await attempt()).toEqual({ status: 500, error: null })
  const { errors } = await events.answer(
    'mutation { testChannel(input: { id: "none" }) { status } }',
  )
  expect(errors?.[0]).toMatchObject({ extensions: { code: 'NOT_FOUND' } })
})

test('without a rule that is on, ingestion notes nothing', async () => {
  const rules = await events.sql(`select id from events.forwarded_artifact where kind = 'rule'`)
  for (const { id } of rules) await store('rule', id, null)
  await send('none', { title: 'unnoted' })
  expect(await events.sql('select from events.state_change')).toEqual([])
  await eventually(async () =>
    expect(await events.sql('select from events.notification_group')).toEqual([]),
  )
})

test('a preview shows what a rule that is off would have sent', async () => {
  const fields = { ...RULE, groupBy: ['source.ref'], channels: ['previewed'], enabled: false }
  await store('rule', 'previewed', { ...fields, query: 'eventClass:previewed AND severity:ERROR' })
  await send('previewed', { source: { ref: 'a' } }, { source: { ref: 'b' } }, { severity: 'INFO' })
  await send('previewed', { status: 'OK', severity: 'INFO', source: { ref: 'a' } })
  const { rulePreview } = await events.run(
    'query { rulePreview(id: "previewed") { total isCut notifications { reason group changesTotal titles } } }',
  )
  expect(rulePreview).toMatchObject({ total: 3, isCut: false })
  expect(rulePreview.notifications).toEqual(
    expect.arrayContaining([
      { reason: 'first', group: { 'source.ref': 'b' }, changesTotal: 1, titles: ['Disk full'] },
      { reason: 'change', group: { 'source.ref': 'a' }, changesTotal: 1, titles: ['Disk full'] },
    ]),
  )
  const { errors } = await events.answer('query { rulePreview(id: "none") { total } }')
  expect(errors?.[0]).toMatchObject({ extensions: { code: 'NOT_FOUND' } })
})
