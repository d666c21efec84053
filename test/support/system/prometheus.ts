import { spawn } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../platform/data-dir/free-port.ts'
import { eventually } from '../eventually.ts'
import { pathOf } from './programs.ts'
import { untilStopped } from './until-stopped.ts'

export interface Prometheus {
  url: string
  stop(): Promise<void>
}

/**
 * Prometheus that reads processes every second.
 * @param jobs addresses, such as 127.0.0.1:9464, by the name of their job
 * @param alerting sends alerts to `path_prefix` of a host by rules: their expressions, by name
 */
export async function startPrometheus(
  jobs: Readonly<Record<string, readonly string[]>>,
  alerting?: { url: string; rules: Readonly<Record<string, string>> },
): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-prometheus-'))
  const file = join(folder, 'prometheus.yml')
  const url = `http://127.0.0.1:${await freePort()}`
  // JSON is YAML.
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    ...(alerting && (await alertingOf(alerting, folder))),
    scrape_configs: Object.entries(jobs).map(([name, targets]) => ({
      job_name: name,
      static_configs: [{ targets }],
    })),
  }
  await writeFile(file, JSON.stringify(configuration))
  const options = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${new URL(url).host}`,
    '--rules.alert.resend-delay=1s',
  ]
  const child = spawn(pathOf('prometheus'), options, { stdio: 'ignore' })
  const stop = untilStopped(child, folder)
  await eventually(async () => {
    const { ok } = await fetch(`${url}/-/ready`)
    if (!ok) throw new Error('Prometheus is not ready')
  })
  return { url, stop }
}

async function alertingOf(
  { url, rules }: { url: string; rules: Readonly<Record<string, string>> },
  folder: string,
) {
  const file = join(folder, 'rules.yml')
  const { host, pathname } = new URL(url)
  const alerts = Object.entries(rules).map(([alert, expr]) => ({
    ...{ alert, expr },
    ...{ labels: { severity: 'critical' }, annotations: { summary: `${alert} {{ $value }}` } },
  }))
  await writeFile(file, JSON.stringify({ groups: [{ name: 'test', rules: alerts }] }))
  const alertmanagers = [{ path_prefix: pathname, static_configs: [{ targets: [host] }] }]
  return { rule_files: [file], alerting: { alertmanagers } }
}
