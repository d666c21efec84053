import { spawn } from 'node:child_process'
import { once } from 'node:events'
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
  /** Stops it, and starts it with what it has stored. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/**
 * Alertmanager with one group, which waits and pauses a second.
 * @param webhook takes its notifications
 * @param given how often it repeats what stands, and the alerts of a notification at most (0: all)
 */
export async function startAlertmanager(
  webhook: string,
  given: { repeat?: string; most?: number } = {},
): Promise<Alertmanager> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-alertmanager-'))
  const file = join(folder, 'alertmanager.yml')
  const url = `http://127.0.0.1:${await freePort()}`
  // JSON is YAML.
  const times = { group_wait: '1s', group_interval: '1s', repeat_interval: given.repeat ?? '1h' }
  const configuration = {
    route: { receiver: 'hook', group_by: ['alertname'], ...times },
    receivers: [
      {
        name: 'hook',
        webhook_configs: [{ url: webhook, send_resolved: true, max_alerts: given.most ?? 0 }],
      },
    ],
  }
  await writeFile(file, JSON.stringify(configuration))
  const options = [
    `--config.file=${file}`,
    `--storage.path=${folder}`,
    `--web.listen-address=${new URL(url).host}`,
    '--cluster.listen-address=',
  ]
  const start = async () => {
    const child = spawn(pathOf('prometheus-alertmanager'), options, { stdio: 'ignore' })
    const stop = untilStopped(child, folder)
    await eventually(async () => {
      const { ok } = await fetch(`${url}/-/ready`)
      if (!ok) throw new Error('Alertmanager is not ready')
    })
    return { child, stop }
  }
  let running = await start()
  return {
    async post(path, body) {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await fetch(`${url}/api/v2/${path}`, init)
      const text = await answer.text()
      if (!answer.ok) throw new Error(`Alertmanager answers ${answer.status}: ${text}`)
      return text ? JSON.parse(text) : undefined
    },
    async restart() {
      const ended = once(running.child, 'exit')
      running.child.kill('SIGTERM')
      await ended
      running = await start()
    },
    stop: () => running.stop(),
  }
}
