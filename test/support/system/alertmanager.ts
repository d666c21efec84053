import { spawn } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../platform/data-dir/free-port.ts'
import { eventually } from '../eventually.ts'
import { pathOf } from './programs.ts'
import { untilStopped } from './until-stopped.ts'

export interface Alertmanager {
  /** Posts to its interface, below `/api/v2/`. @returns the parsed answer */
  post(path: string, body: unknown): Promise<unknown>
  stop(): Promise<void>
}

/** Alertmanager with one group, which waits and pauses a second. @param webhook takes its notifications */
export async function startAlertmanager(webhook: string): Promise<Alertmanager> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-alertmanager-'))
  const file = join(folder, 'alertmanager.yml')
  const url = `http://127.0.0.1:${await freePort()}`
  // JSON is YAML.
  const times = { group_wait: '1s', group_interval: '1s', repeat_interval: '1h' }
  const configuration = {
    route: { receiver: 'hook', group_by: ['alertname'], ...times },
    receivers: [{ name: 'hook', webhook_configs: [{ url: webhook, send_resolved: true }] }],
  }
  await writeFile(file, JSON.stringify(configuration))
  const options = [
    `--config.file=${file}`,
    `--storage.path=${folder}`,
    `--web.listen-address=${new URL(url).host}`,
    '--cluster.listen-address=',
  ]
  const child = spawn(pathOf('prometheus-alertmanager'), options, { stdio: 'ignore' })
  const stop = untilStopped(child, folder)
  await eventually(async () => {
    const { ok } = await fetch(`${url}/-/ready`)
    if (!ok) throw new Error('Alertmanager is not ready')
  })
  return {
    async post(path, body) {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await fetch(`${url}/api/v2/${path}`, init)
      const text = await answer.text()
      if (!answer.ok) throw new Error(`Alertmanager answers ${answer.status}: ${text}`)
      return text ? JSON.parse(text) : undefined
    },
    stop,
  }
}
