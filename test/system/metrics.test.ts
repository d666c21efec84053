import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { accept, post, rawEvent } from '../conformance/events.ts'
import { execute } from '../conformance/executions.ts'
import { checkAgainst } from '../conformance/row.ts'
import { type Assay, startAssay } from '../support/assay.ts'
import { eventually } from '../support/eventually.ts'
import { pathOf } from '../support/system/programs.ts'
import { startPrometheus } from '../support/system/prometheus.ts'

const run = promisify(execFile)

const STAND_ALONE = ['worker', 'events', 'accounts', 'test-execution'] as const

let assay: Assay
beforeAll(async () => {
  assay = await startAssay({ mode: 'distributed', env: { METRICS_PORT: '0' } })
  checkAgainst(assay.url)
})
afterAll(() => assay?.stop())

/** Address of a process's metrics. */
async function metricsOf(name: (typeof STAND_ALONE)[number]) {
  await assay.says(name, /Metrics are served/)
  const [, url = ''] = /"url":"([^"]+)","msg":"Metrics are served"/.exec(assay.logs(name)) ?? []
  return { url, text: await (await fetch(url)).text() }
}

/** Waits for samples: a slot is free shortly after its execution has ended, and a page omits gauges that take over a second. */
const shows = (name: (typeof STAND_ALONE)[number], samples: readonly string[]) =>
  eventually(async () => {
    const { text } = await metricsOf(name)
    expect(samples.filter((sample) => !text.includes(sample))).toEqual([])
  })

test('workers and subgraphs show what they do', async () => {
  await accept(rawEvent())
  await post([{}, { title: 'x', tags: 7 }])
  const { body } = await execute('/testcase/loan-schedule/execute?synchron=true')
  expect(body.state).toBe('COMPLETED')
  await shows('worker', [
    'assay_executions_total{state="COMPLETED"} 1',
    'assay_execution_queue_wait_seconds_count 1',
    'assay_worker_slots 4',
    'assay_worker_slots_used 0',
    'assay_callbacks{state="dead"} 0',
    'assay_queue_oldest_job_age_seconds{queue="execute"} 0',
  ])
  const done = (subgraph: string, field: string) =>
    `assay_subgraph_operation_duration_seconds_count{subgraph="${subgraph}",field="${field}",kind="mutation",outcome="ok"}`
  await shows('events', [
    'assay_events_refused_total{reason="missing_field"} 1',
    'assay_events_refused_total{reason="wrong_type"} 1',
    'assay_database_connections{pool="events",state="used"}',
    'assay_events_accepted_total 1',
    'assay_notifications{state="dead"} 0',
    'assay_heartbeats_missing 0',
    `${done('events', 'ingestEvents')} 2`,
    'method="POST",route="/graphql",status="200"',
  ])
  await shows('test-execution', [`${done('test-execution', 'execute')} 1`])
})

test('promtool finds nothing wrong with any of them', async () => {
  const own = await Promise.all(STAND_ALONE.map(metricsOf))
  const gateway = await (await fetch(`${assay.url}/metrics`)).text()
  for (const page of [...own.map(({ text }) => text), gateway]) expectSound(page)
})

function expectSound(input: string): void {
  expect(input).toContain('assay_build_info{')
  const { status, stdout, stderr } = spawnSync(pathOf('promtool'), ['check', 'metrics'], { input })
  expect([status, `${stdout}${stderr}`]).toEqual([0, ''])
}

const KINDS = ['gateway', ...STAND_ALONE] as const
const SUBGRAPHS: readonly string[] = ['events', 'accounts', 'test-execution']

/** The metrics of a process with their labels, as its page describes them. */
const described = (page: string) =>
  [...page.matchAll(/^# TYPE (assay_\w+)/gm)].map(([, name]) => name).sort()

test('the reference lists the metrics of each kind of process, and no others', async () => {
  const rows = readFileSync('docs/reference/metrics.md', 'utf8').matchAll(
    /^\| (`assay_[^|]+) \| ([^|]+) \|/gm,
  )
  const listed = [...rows].flatMap(([, names = '', on = '']) =>
    [...names.matchAll(/assay_\w+/g)].map(([name]) => ({ name, on: on.split(', ') })),
  )
  const pageOf = async (kind: (typeof KINDS)[number]) =>
    kind === 'gateway' ? (await fetch(`${assay.url}/metrics`)).text() : (await metricsOf(kind)).text
  for (const kind of KINDS) {
    const groups = ['all', kind, ...(SUBGRAPHS.includes(kind) ? ['subgraphs'] : [])]
    const expected = listed.filter(({ on }) => on.some((each) => groups.includes(each)))
    await eventually(async () =>
      expect([kind, described(await pageOf(kind))]).toEqual([
        kind,
        expected.map(({ name }) => name).sort(),
      ]),
    )
  }
  const alone = await startAssay({ mode: 'in-process' })
  try {
    await eventually(async () => {
      const page = await (await fetch(`${alone.url}/metrics`)).text()
      expectSound(page)
      expect(described(page)).toEqual([...new Set(listed.map(({ name }) => name))].sort())
    })
  } finally {
    await alone.stop()
  }
})

test('the dashboard and the alerts name metrics that there are, and each alert has its runbook', async () => {
  const alerts = readFileSync('deploy/prometheus/alerts.yml', 'utf8')
  const used = alerts + readFileSync('deploy/grafana/assay.json', 'utf8')
  const names = [...used.matchAll(/\b(assay|nodejs)_\w+/g)].map(([name]) => name)
  expect(names.length).toBeGreaterThan(20)
  await eventually(async () => {
    const own = await Promise.all(STAND_ALONE.map(metricsOf))
    const gateway = await (await fetch(`${assay.url}/metrics`)).text()
    const pages = [...own.map(({ text }) => text), gateway].join('\n')
    const known = new Set([...pages.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
    expect(
      names.filter(
        (name) => !known.has(name) && !known.has(name.replace(/_(bucket|count|sum)$/, '')),
      ),
    ).toEqual([])
  })
  const rules = [...alerts.matchAll(/- alert: (\w+)[\s\S]*?runbook: (\S+)/g)]
  expect(rules.length).toBe([...alerts.matchAll(/- alert:/g)].length)
  for (const [, alert = '', runbook = ''] of rules)
    expect(readFileSync(runbook, 'utf8')).toContain(`\`${alert}\`: `)
})

/** For panels that look minutes back. */
const PATIENCE_MS = 120_000

/** Lines of the dashboard. */
async function dashboard(prometheus: string, ...rows: string[]): Promise<string[]> {
  const env = { ...process.env, PROMETHEUS_URL: prometheus }
  const { stdout } = await run(process.execPath, ['deploy/one-machine/dashboard.js', ...rows], {
    env,
  })
  return stdout.trim().split('\n')
}

test('every panel of the dashboard shows a product that works, and its books balance', async () => {
  const hostOf = (url: string) => new URL(url).host
  const own = await Promise.all(STAND_ALONE.map(metricsOf))
  const prometheus = await startPrometheus({
    'assay-gateway': [hostOf(assay.url)],
    'assay-process': own.map(({ url }) => hostOf(url)),
  })
  try {
    const lines = await eventually(async () => {
      await accept(rawEvent())
      await execute('/testcase/loan-schedule/execute?synchron=true')
      const shown = await dashboard(prometheus.url)
      if (shown.some((line) => line.endsWith(': no data'))) throw new Error(shown.join('\n'))
      return shown
    }, PATIENCE_MS)
    expect(lines).toContainEqual(
      expect.stringMatching(/Requests a second, by route \(\/api\/v1\/events\): \d/),
    )
    await eventually(async () => {
      const [, ...books] = await dashboard(prometheus.url, 'Books')
      expect(books.map((line) => line.replace(/.*: /, ''))).toEqual(Array(6).fill('0'))
    }, PATIENCE_MS)
  } finally {
    await prometheus.stop()
  }
})

test('alerts fire when they should, and not before', () => {
  const { status, stdout, stderr } = spawnSync(
    pathOf('promtool'),
    ['test', 'rules', 'deploy/prometheus/alerts.test.yml'],
    { encoding: 'utf8' },
  )
  expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('SUCCESS')])
})

test('a worker says that it lives, and whether it can work', async () => {
  const { url } = await metricsOf('worker')
  for (const path of ['/healthz', '/readyz'])
    await eventually(async () => {
      const response = await fetch(new URL(path, url))
      expect([path, response.status, await response.json()]).toEqual([path, 200, { status: 'ok' }])
    })
  expect((await fetch(new URL('/other', url))).status).toBe(404)
})
