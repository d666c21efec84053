import { randomBytes } from 'node:crypto'
import { type Orm, startOrm } from '../../platform/database/orm.ts'
import { ARTIFACT_STORED, type ArtifactStored } from '../../platform/jobs/artifact-stored.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { STORAGE } from '../../subgraphs/events/index.ts'
import { type Collector, startCollector, status } from '../support/collector.ts'
import { type RunningEvents, runEvents } from '../support/events/running-events.ts'
import { eventually } from '../support/eventually.ts'
import { type Alertmanager, startAlertmanager } from '../support/system/alertmanager.ts'

const keys = { secretsKey: randomBytes(32).toString('base64') }
const delivery = {
  outbound: createOutbound({ allow: ['127.0.0.0/8'], ownPorts: [] }),
  keys,
  signingSecret: `whsec_${randomBytes(32).toString('base64')}`,
}

let collector: Collector
let peer: Alertmanager
let events: RunningEvents
let orm: Orm
beforeAll(async () => {
  collector = await startCollector(status(200))
  peer = await startAlertmanager(`${collector.url}/peer`)
  events = await runEvents({}, undefined, undefined, delivery)
  orm = await startOrm({ url: events.url, ...STORAGE })
})
afterAll(async () => {
  await orm?.close()
  await events?.stop()
  await peer?.stop()
  await collector?.stop()
})

/** Sends artifacts as test execution does, and waits until they are taken over. */
async function store(...artifacts: (Pick<ArtifactStored, 'kind' | 'id' | 'fields'> & object)[]) {
  const sealed = { url: createSecrets(keys).seal(`${collector.url}/ours`) }
  for (const [index, artifact] of artifacts.entries()) {
    const at = String(BigInt(Date.now()) * 1_000n + BigInt(index))
    const job = { ...artifact, at, sealed: artifact.kind === 'channel' ? sealed : {} }
    await orm.em
      .fork()
      .transactional((em) =>
        events.jobs.enqueue(em, ARTIFACT_STORED.name, job satisfies ArtifactStored),
      )
  }
  await eventually(async () =>
    expect(
      await events.sql('select from events.forwarded_artifact where id = any ($1)', [
        artifacts.map(({ id }) => id),
      ]),
    ).toHaveLength(artifacts.length),
  )
}

/** Requests of one of both, each as what it says changed: `A is open`. The peer repeats what stands, so each counts once. */
function notified(which: 'peer' | 'ours'): string[][] {
  const known = new Set<string>()
  return collector.requests
    .filter(({ path }) => path === `/${which}`)
    .map(({ body }) => {
      const given = JSON.parse(body)
      const all: string[] =
        which === 'peer'
          ? given.alerts.map(
              (alert: { labels: { title: string }; status: string }) =>
                `${alert.labels.title} ${alert.status === 'firing' ? 'is open' : 'has ended'}`,
            )
          : given.data.changes.map(
              ({ event }: { event: { title: string; status: string } }) =>
                `${event.title} ${event.status === 'OPEN' ? 'is open' : 'has ended'}`,
            )
      const fresh = all.filter((each) => !known.has(each)).sort()
      for (const each of fresh) known.add(each)
      return fresh
    })
    .filter((fresh) => fresh.length > 0)
}

/** The same at both. */
const change = (isOpen: boolean, ...titles: string[]) => {
  const time = new Date().toISOString()
  return Promise.all([
    peer.post(
      'alerts',
      titles.map((title) => ({
        labels: { alertname: 'disk', title },
        ...(isOpen ? {} : { endsAt: time }),
      })),
    ),
    events.ingest(titles.map((title) => ({ title, status: isOpen ? 'OPEN' : 'OK' }))),
  ])
}

test('what opens together is one notification at both; an end during a silence is notified here alone', async () => {
  const rule = {
    ...{ name: 'disk', query: '*', on: ['OPENED', 'REOPENED', 'RESOLVED'], groupBy: [] },
    ...{ groupWait: '1s', groupInterval: '1s', flappingAfter: 100, flappingWithin: '15m' },
    ...{ channels: ['ours'], enabled: true },
  }
  await store(
    { kind: 'channel', id: 'ours', fields: { name: 'ours', kind: 'webhook', to: [] } },
    { kind: 'rule', id: 'disk', fields: rule },
  )
  await change(true, 'A', 'B')
  await eventually(async () => {
    expect(notified('peer')).toEqual([['A is open', 'B is open']])
    expect(notified('ours')).toEqual([['A is open', 'B is open']])
  })

  const ends = new Date(Date.now() + 600_000).toISOString()
  const silence = { query: 'title:A', until: ends, reason: 'work', notifyAtEnd: true }
  const matchers = [{ name: 'title', value: 'A', isRegex: false, isEqual: true }]
  const startsAt = new Date().toISOString()
  const meta = { createdBy: 'test', comment: 'work' }
  await peer.post('silences', { matchers, startsAt, endsAt: ends, ...meta })
  await store({ kind: 'silence', id: 'work', fields: { name: 'work', ...silence } })
  await change(false, 'A')
  await eventually(async () => expect(notified('ours').flat()).toContain('A has ended'))
  await change(false, 'B')
  await eventually(async () => {
    expect(notified('ours').flat()).toContain('B has ended')
    expect(notified('peer').flat()).toContain('B has ended')
  })
  expect(notified('peer').flat()).not.toContain('A has ended')
})
