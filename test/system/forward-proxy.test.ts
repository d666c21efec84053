import { spawn } from 'node:child_process'
import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../platform/data-dir/free-port.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { type Collector, startCollector } from '../support/collector.ts'
import { eventually } from '../support/eventually.ts'
import { pathOf } from '../support/system/programs.ts'
import { untilStopped } from '../support/system/until-stopped.ts'

const MODULES =
  'mpm_event authz_core authn_core authn_file auth_basic authz_user proxy proxy_http proxy_connect'

let collector: Collector
let port: number
let stop: () => Promise<void>

/** Apache as a forward proxy that asks for a password. */
beforeAll(async () => {
  collector = await startCollector()
  port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'assay-forward-'))
  await chmod(folder, 0o755)
  // SHA-1 of "open sesame", as htpasswd -s writes it.
  await writeFile(join(folder, 'users'), 'assay:{SHA}W8r/fyL/UzygmbNAjq2HbA67qac=\n')
  const file = join(folder, 'configuration')
  await writeFile(
    file,
    `ServerRoot ${folder}
ServerName localhost
PidFile pid
ErrorLog log
DefaultRuntimeDir .
${MODULES.split(' ')
  .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
  .join('\n')}
Listen 127.0.0.1:${port}
User www-data
Group www-data
ProxyRequests On
AllowCONNECT 1024-65535
<Proxy "*">
  AuthType Basic
  AuthName proxy
  AuthUserFile ${folder}/users
  Require valid-user
</Proxy>
`,
  )
  const child = spawn(pathOf('apache2'), ['-DFOREGROUND', '-f', file], { stdio: 'ignore' })
  stop = untilStopped(child, folder)
  await eventually(async () => {
    expect((await fetch(`http://127.0.0.1:${port}`)).status).toBeGreaterThan(0)
  })
})
afterAll(async () => {
  await stop?.()
  await collector?.stop()
})

const send = (url: string, password = 'open%20sesame') => {
  const outbound = createOutbound({
    allow: ['127.0.0.0/8'],
    ownPorts: [],
    proxy: `http://assay:${password}@127.0.0.1:${port}`,
  })
  const given = { method: 'POST', url, body: 'hello', timeoutMs: 20_000 } as const
  return outbound.send(given, ({ status }) => status)
}

test('Apache as OUTBOUND_PROXY passes requests on', async () => {
  const url = `http://localhost:${collector.port}/through?a=1`
  expect(await send(url)).toBe(204)
  const [request] = collector.requests
  expect(request).toMatchObject({ method: 'POST', path: '/through?a=1', body: 'hello' })
  expect(request?.headers).not.toHaveProperty('proxy-authorization')
})

test.each(['http', 'https'])(
  'its refusal of a password is one of the proxy, over %s',
  async (scheme) => {
    const url = `${scheme}://localhost:${collector.port}/`
    await expect(send(url, 'wrong')).rejects.toThrow(
      '(OUTBOUND_PROXY) did not connect: it answered 407',
    )
  },
)
