import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readEnv } from '../../platform/settings/env.ts'
import { pathOf } from '../support/system/programs.ts'
import { readComposeFile } from './compose-file.ts'

const run = promisify(execFile)
const MAKE = 'deploy/make-secrets.sh'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-secrets-'))
  await run('sh', [MAKE, folder])
})
afterAll(() => rm(folder, { recursive: true }))

test.each(['deploy/haproxy/haproxy.cfg', 'deploy/one-machine/haproxy.cfg'])(
  'HAProxy takes its configuration %s',
  (file) => run(pathOf('haproxy'), ['-c', '-f', file]),
)

test.each(['deploy/prometheus/prometheus.yml', 'deploy/one-machine/prometheus.yml'])(
  'promtool finds nothing wrong with the configuration of Prometheus %s',
  (file) => run(pathOf('promtool'), ['check', 'config', '--syntax-only', file]),
)

test('the script that runs everything on one machine is sound', () =>
  run(pathOf('shellcheck'), ['deploy/one-machine/run.sh']))

test('the guide names each network with its members, and those that lead outside', async () => {
  const guide = await readFile('docs/how-to/run-with-compose.md', 'utf8')
  const names: Record<string, string[]> = {
    gateways: ['gateway'],
    subgraphs: ['accounts', 'events', 'test-execution'],
    workers: ['worker'],
    postgresql: ['postgres'],
    'node exporter': ['node-exporter'],
  }
  const rows = [...guide.matchAll(/^\| `(\w+)` \| (.*) \| (yes|no)\b.* \|$/gm)].map(
    ([, network = '', members = '', leads]) => [
      network,
      members
        .toLowerCase()
        .split(', ')
        .flatMap((member) => names[member] ?? [member])
        .sort(),
      leads,
    ],
  )
  const { services, networks } = readComposeFile()
  const membersOf = (network: string) =>
    Object.keys(services).filter((name) => services[name]?.networks?.includes(network))
  expect(rows.sort()).toEqual(
    Object.entries(networks)
      .map(([name, network]) => [name, membersOf(name).sort(), network?.internal ? 'no' : 'yes'])
      .sort(),
  )
})

test('NATS takes its secret', () =>
  run(pathOf('nats-server'), ['-t', '-c', join(folder, 'nats_conf')]))

test('the script that makes secrets is sound, and makes those that the file names', async () => {
  await run(pathOf('shellcheck'), [MAKE])
  expect((await readdir(folder)).sort()).toEqual(Object.keys(readComposeFile().secrets).sort())
})

test('the secrets are in a folder for their owner alone, and differ', async () => {
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  const names = (await readdir(folder)).filter((name) => name !== 'metrics_token')
  const values = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  expect(new Set(values).size).toBe(names.length)
})

test('each is a value that its setting takes', () => {
  const names = [
    'ADMIN_PASSWORD',
    'CALLBACK_SIGNING_SECRET',
    'DATABASE_URL',
    'INTERNAL_SECRET',
  ] as const
  const all = [...names, 'NATS_URL', 'SECRETS_KEY'] as const
  const env = Object.fromEntries(
    all.map((name) => [`${name}_FILE`, join(folder, name.toLowerCase())]),
  )
  expect(Object.keys(readEnv(env, all)).sort()).toEqual([...all].sort())
})

test('a second run keeps what is there', async () => {
  const before = await readFile(join(folder, 'nats_url'), 'utf8')
  await run('sh', [MAKE, folder])
  expect(await readFile(join(folder, 'nats_url'), 'utf8')).toBe(before)
})
