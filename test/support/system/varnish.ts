import { spawn } from 'node:child_process'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../platform/data-dir/free-port.ts'
import { eventually } from '../eventually.ts'
import { pathOf } from './programs.ts'
import { untilStopped } from './until-stopped.ts'

/** Varnish with the configuration that it has by itself, in front of a server. */
export async function startVarnish(
  backend: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-varnish-'))
  await chmod(folder, 0o755) // its processes run as a user of their own
  const port = await freePort()
  const { host } = new URL(backend)
  const args = ['-F', '-n', folder, '-a', `127.0.0.1:${port}`, '-T', 'none', '-b', host]
  const child = spawn(pathOf('varnishd'), [...args, '-s', 'malloc,32m'], { stdio: 'ignore' })
  const stop = untilStopped(child, folder)
  const url = `http://127.0.0.1:${port}`
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`varnishd ended with ${child.exitCode}`)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })
  return { url, stop }
}
