import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../eventually.ts'
import { pathOf } from './programs.ts'
import { untilStopped } from './until-stopped.ts'

export interface Collectd {
  /** Has it notify, as its plugins do. */
  notify(severity: 'failure' | 'warning' | 'okay', message: string): Promise<void>
  stop(): Promise<void>
}

/** collectd that posts its notifications. */
export async function startCollectd(url: string): Promise<Collectd> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-collectd-'))
  const [file, socketPath] = [join(folder, 'collectd.conf'), join(folder, 'socket')]
  await writeFile(
    file,
    `Hostname "db1"
BaseDir "${folder}"
LoadPlugin unixsock
LoadPlugin write_http
<Plugin unixsock>
  SocketFile "${socketPath}"
  DeleteSocket true
</Plugin>
<Plugin write_http>
  <Node "assay">
    URL "${url}"
    Format "JSON"
    Metrics false
    Notifications true
  </Node>
</Plugin>
`,
  )
  const options = ['-f', '-C', file, '-P', join(folder, 'pid')]
  const child = spawn(pathOf('collectd'), options, { stdio: 'ignore' })
  const stop = untilStopped(child, folder)
  const ask = async (line: string): Promise<void> => {
    const socket = connect(socketPath).setEncoding('utf8')
    try {
      await once(socket, 'connect')
      socket.write(`${line}\n`)
      const [answer] = await once(socket, 'data')
      if (!String(answer).startsWith('0 ')) throw new Error(`collectd answers ${answer}`)
    } finally {
      socket.destroy()
    }
  }
  await eventually(() => ask('LISTVAL'))
  return {
    notify: (severity, message) =>
      ask(
        `PUTNOTIF severity=${severity} time=${Math.floor(Date.now() / 1_000)} host=db1 plugin=df type=df_complex message="${message}"`,
      ),
    stop,
  }
}
