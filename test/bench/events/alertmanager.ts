import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../../platform/data-dir/free-port.ts'
import { print } from '../samples.ts'
import { alertText } from './bodies.ts'

const PROGRAM = 'prometheus-alertmanager'

/** A peer that takes events into memory. */
export interface Alertmanager {
  /** Takes `POST` with alerts. */
  url: string
  stop(): Promise<void>
}

/** Starts Debian's Alertmanager, with nobody to notify, and checks that it keeps what it is sent. */
export async function startAlertmanager(): Promise<Alertmanager> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-alertmanager-'))
  const port = await freePort()
  const config = join(folder, 'alertmanager.yml')
  await writeFile(config, 'route: { receiver: nobody }\nreceivers: [{ name: nobody }]\n')
  const args = [
    `--config.file=${config}`,
    `--storage.path=${folder}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address=',
    '--log.level=error',
  ]
  print(`Alertmanager: ${versionOf()}`)
  print(`  ${PROGRAM} ${args.join(' ')}`)
  const child = spawn(PROGRAM, args, { stdio: 'ignore' })
  const exited = once(child, 'exit')
  const url = `http://127.0.0.1:${port}/api/v2/alerts`
  const stop = async () => {
    child.kill()
    await exited
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await check(url)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}

async function check(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: alertText(-1),
    }
    const status = await fetch(url, init).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) break
    await delay(50)
  }
  const kept = await (await fetch(url)).text()
  if (!kept.includes('Disk -1 is filling up')) throw new Error(`Alertmanager keeps ${kept}`)
  print(`  keeps what it is sent: ${kept.slice(0, 160)}…`)
}

function versionOf(): string {
  try {
    const text = execFileSync(PROGRAM, ['--version'], { encoding: 'utf8', stdio: 'pipe' })
    return text.split('\n', 1)[0] ?? ''
  } catch (cause) {
    throw new Error(`${PROGRAM} is missing: apt-get install ${PROGRAM}`, { cause })
  }
}
