import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { CloudEvent, emitterFor, httpTransport, Mode } from 'cloudevents'
import { freePort } from '../../platform/data-dir/free-port.ts'
import { type Assay, startAssay } from '../support/assay.ts'
import { eventually } from '../support/eventually.ts'
import { startAlertmanager } from '../support/system/alertmanager.ts'
import { startCollectd } from '../support/system/collectd.ts'
import { startPrometheus } from '../support/system/prometheus.ts'

let assay: Assay
let receivers: string
beforeAll(async () => {
  assay = await startAssay()
  receivers = `${assay.url}/api/v1/receivers`
})
afterAll(() => assay?.stop())

interface Found {
  title: string
  status: string
  severity: string
  timesSeen: number
}

const events = async (q: string): Promise<Found[]> => {
  const response = await fetch(`${assay.url}/api/v1/events?q=${encodeURIComponent(q)}`)
  const { items } = (await response.json()) as { items: Found[] } // as the interface says
  return items.map(({ title, status, severity, timesSeen }) => ({
    ...{ title, status, severity, timesSeen },
  }))
}

test('alerts of a real Alertmanager open, end and are repeated over a restart, and what it leaves out is an event', async () => {
  const peer = await startAlertmanager(`${receivers}/alertmanager`, { repeat: '1s', most: 2 })
  try {
    const startsAt = new Date().toISOString()
    const post = (hosts: string[], endsAt?: string) =>
      peer.post(
        'alerts',
        hosts.map((instance) => ({
          labels: { alertname: 'disk', instance, severity: 'warning' },
          annotations: { summary: `Disk of ${instance}` },
          startsAt,
          ...(endsAt && { endsAt }),
        })),
      )
    const ofHost = (host: string) => events(`source.ref:"${host}"`)
    const open = { title: 'Disk of am1', status: 'OPEN', severity: 'WARN', timesSeen: 1 }
    await post(['am1'])
    await eventually(async () => expect(await ofHost('am1')).toEqual([open]))
    // It repeats, and none counts.
    const first = await requests()
    await eventually(async () => expect(await requests()).toBeGreaterThan(first + 1))
    await peer.restart()
    await post(['am1'])
    const before = await requests()
    await eventually(async () => expect(await requests()).toBeGreaterThan(before))
    expect(await ofHost('am1')).toEqual([open])
    await post(['am1'], new Date().toISOString())
    await eventually(async () =>
      expect(await ofHost('am1')).toEqual([{ ...open, status: 'CLOSED', timesSeen: 2 }]),
    )
    await post(['am2', 'am3', 'am4'])
    await eventually(async () => {
      const left = await events('eventClass:truncated')
      expect(left).toMatchObject([{ status: 'OPEN', severity: 'WARN' }])
      expect(left[0]?.title).toMatch(/^Alertmanager left out \d alerts of a group$/)
    })
  } finally {
    await peer.stop()
  }
})

/** Requests that reached the receiver of Alertmanager. */
async function requests(): Promise<number> {
  const text = await (await fetch(`${assay.url}/metrics`)).text()
  const lines = text
    .split('\n')
    .filter((line) => /request_duration_seconds_count\{.*receivers\/alertmanager"/.test(line))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

test('an alert of a real Prometheus opens while its target is away, and ends when it is back', async () => {
  const port = await freePort()
  const target = `127.0.0.1:${port}`
  const rules = { TargetDown: 'up{job="target"} == 0' }
  const prometheus = await startPrometheus(
    { target: [target] },
    { url: `${receivers}/prometheus`, rules },
  )
  let served: Server | undefined
  try {
    const alert = { title: 'TargetDown 0', severity: 'CRITICAL' }
    const ofTarget = () => events(`source.ref:"${target}"`)
    await eventually(async () =>
      expect(await ofTarget()).toEqual([{ ...alert, status: 'OPEN', timesSeen: 1 }]),
    )
    served = createServer((_, response) => response.end('up 1\n')).listen(port, '127.0.0.1')
    await eventually(async () =>
      expect(await ofTarget()).toEqual([{ ...alert, status: 'CLOSED', timesSeen: 2 }]),
    )
  } finally {
    served?.close()
    await prometheus.stop()
  }
})

test('a notification of a real collectd opens one event, whose severity is its state', async () => {
  const collectd = await startCollectd(`${receivers}/prometheus/api/v2/alerts`)
  try {
    const ofHost = () => events('source.ref:db1')
    await collectd.notify('failure', 'Disk of db1 is full')
    await eventually(async () =>
      expect(await ofHost()).toMatchObject([{ status: 'OPEN', severity: 'ERROR' }]),
    )
    await collectd.notify('okay', 'Disk of db1 has room')
    await eventually(async () =>
      expect(await ofHost()).toMatchObject([{ status: 'OK', severity: 'INFO', timesSeen: 2 }]),
    )
  } finally {
    await collectd.stop()
  }
})

test('the SDK of CloudEvents sends structured and binary, and an id once', async () => {
  const subject = randomUUID()
  const made = { source: '/backups', type: 'com.example.backup.failed', subject, data: { n: 1 } }
  const event = new CloudEvent(made)
  for (const mode of [Mode.STRUCTURED, Mode.BINARY])
    await emitterFor(httpTransport(`${receivers}/cloudevents`), { mode })(event)
  await emitterFor(httpTransport(`${receivers}/cloudevents`))(new CloudEvent(made))
  expect(await events(`title:"${subject}"`)).toEqual([
    { title: subject, status: 'OPEN', severity: 'ERROR', timesSeen: 2 },
  ])
})
