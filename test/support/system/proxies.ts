import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../platform/data-dir/free-port.ts'
import { eventually } from '../eventually.ts'
import { askOverTls, certFile, keyFile } from '../tls.ts'
import { type Program, pathOf } from './programs.ts'
import { untilStopped } from './until-stopped.ts'

/** A proxy that runs, with its file of `deploy/proxies`. */
export interface RunningProxy {
  url: string
  /** Ends it, and cuts its connections. */
  stop(): Promise<void>
}

interface Place {
  folder: string
  port: number
  /** Port of the gateway. */
  backend: number
}

/** Turns the text of a file for an installation into one of a test. */
type Lay = (text: string, place: Place) => string

interface Kind {
  file: string
  program: Program
  args(file: string, place: Place): string[]
  lay: Lay
  /** Default: https. */
  scheme?: 'http'
}

const ROOT = join(import.meta.dirname, '..', '..', '..')
const MODULES = '/usr/lib/apache2/modules'
/** Debian builds them as files; `apache2` itself has the rest. */
const APACHE_MODULES =
  'mpm_event authz_core headers http2 proxy proxy_http reqtimeout ssl socache_shmcb'

const replaced = (text: string, pairs: Record<string, string>): string =>
  Object.entries(pairs).reduce((laid, [from, to]) => {
    if (!laid.includes(from)) throw new Error(`The file has no ${from}`)
    return laid.replaceAll(from, to)
  }, text)

const ofTls = () => ({
  '/etc/ssl/assay/cert.pem': certFile('first'),
  '/etc/ssl/assay/key.pem': keyFile('first'),
})

/** The proxies that docs/how-to/put-a-proxy-in-front.md has a file for. */
export const PROXIES = {
  nginx: {
    file: 'nginx.conf',
    program: 'nginx',
    args: (file, { folder }) => ['-p', folder, '-c', file, '-e', join(folder, 'log')],
    lay: (text, { folder, port, backend }) => `
daemon off;
pid ${folder}/pid;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  ${replaced(text, { ...ofTls(), 'listen 443': `listen 127.0.0.1:${port}`, '127.0.0.1:4000': `127.0.0.1:${backend}` })}
}`,
  },
  HAProxy: {
    file: 'haproxy.cfg',
    program: 'haproxy',
    args: (file) => ['-db', '-f', file],
    lay: (text, { folder, port, backend }) =>
      replaced(text, {
        'bind :443': `bind 127.0.0.1:${port}`,
        '/etc/ssl/assay/assay.pem': join(folder, 'both.pem'),
        '127.0.0.1:4000': `127.0.0.1:${backend}`,
      }),
  },
  Apache: {
    file: 'apache.conf',
    program: 'apache2',
    args: (file) => ['-DFOREGROUND', '-f', file],
    lay: (text, { folder, port, backend }) => `
ServerRoot ${folder}
ServerName localhost
PidFile pid
ErrorLog log
DefaultRuntimeDir .
Listen 127.0.0.1:${port}
${APACHE_MODULES.split(' ')
  .map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`)
  .join('\n')}
User www-data
Group www-data
# As Debian has it.
RequestReadTimeout header=20-40,minrate=500 body=10,minrate=500
${replaced(text, { ...ofTls(), '*:443': `127.0.0.1:${port}`, '127.0.0.1:4000': `127.0.0.1:${backend}` })}`,
  },
  Caddy: {
    file: 'Caddyfile',
    program: 'caddy',
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    lay: (text, { port, backend }) => `{
  admin off
  auto_https disable_redirects
}
${replaced(text, {
  'assay.example.com {': `https://localhost:${port} {\n  bind 127.0.0.1\n  tls ${certFile('first')} ${keyFile('first')}`,
  '127.0.0.1:4000': `127.0.0.1:${backend}`,
})}`,
  },
  Varnish: {
    file: 'varnish.vcl',
    program: 'varnishd',
    scheme: 'http',
    args: (file, { folder, port }) => [
      ...['-F', '-n', folder, '-a', `127.0.0.1:${port}`, '-T', 'none', '-s', 'malloc,32m'],
      ...['-p', 'send_timeout=3600', '-p', 'pipe_timeout=3600', '-p', 'timeout_idle=60'],
      ...['-f', file],
    ],
    lay: (text, { backend }) =>
      replaced(text, {
        '"4000"': `"${backend}"`,
        // The test is a client, and not the server that speaks TLS.
        '"127.0.0.1";\n}': '"192.0.2.1";\n}',
      }),
  },
} satisfies Record<string, Kind>

export type ProxyName = keyof typeof PROXIES

/** Starts a proxy before a server, and waits until it answers for it. @param port default: a free one */
export async function startProxy(
  name: ProxyName,
  backend: string,
  port?: number,
): Promise<RunningProxy> {
  const kind: Kind = PROXIES[name]
  const folder = await mkdtemp(join(tmpdir(), `assay-${name}-`))
  await chmod(folder, 0o755) // some of them run as a user of their own
  const place = {
    folder,
    port: port ?? (await freePort()),
    backend: Number(new URL(backend).port),
  }
  const text = await readFile(join(ROOT, 'deploy/proxies', kind.file), 'utf8')
  const both = await Promise.all(
    [certFile('first'), keyFile('first')].map((at) => readFile(at, 'utf8')),
  )
  await writeFile(join(folder, 'both.pem'), both.join(''))
  const file = join(folder, 'configuration')
  await writeFile(file, kind.lay(text, place))
  const child = spawn(pathOf(kind.program), kind.args(file, place), {
    env: { PATH: process.env.PATH, HOME: folder, APACHE_RUN_DIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    said = (said + piece).slice(-4_000)
  })
  const stop = untilStopped(child, folder)
  const url = `${kind.scheme ?? 'https'}://localhost:${place.port}`
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${said}`)
    const status = await statusOf(url)
    if (status !== 200) throw new Error(`${name} answers with ${status}`)
  })
  return { url, stop }
}

async function statusOf(url: string): Promise<number> {
  if (url.startsWith('https')) return (await askOverTls(`${url}/healthz`)).status
  return (await fetch(`${url}/healthz`)).status
}
