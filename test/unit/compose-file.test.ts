import { readFileSync } from 'node:fs'
import { composeServices } from '../e2e-compose/compose-file.ts'

const SECRETS = [
  ...['POSTGRES_PASSWORD', 'NATS_PASSWORD', 'SECRETS_KEY', 'CALLBACK_SIGNING_SECRET'],
  'INTERNAL_SECRET',
]
const variables = Object.fromEntries(SECRETS.map((name) => [name, 'a-secret']))

test('no secret has a default: each is asked for, with the command that makes one', () => {
  for (const name of SECRETS)
    expect(() => composeServices({ ...variables, [name]: '' })).toThrow(
      new RegExp(`${name}.*openssl rand -(hex|base64) \\d+`),
    )
})

test('code runs in strict mode unless the operator says otherwise', () => {
  expect(composeServices(variables).worker?.environment?.SANDBOX).toBe('strict')
})

test('only the gateway is published, and to this machine only', () => {
  const published = Object.entries(composeServices(variables)).filter(([, { ports }]) => ports)
  expect(published.map(([name, { ports }]) => [name, ports])).toEqual([
    ['gateway', ['127.0.0.1:4000:4000']],
  ])
})

test('every container is read-only, gains no privileges, and has bounds of memory and processes', () => {
  for (const [name, service] of Object.entries(composeServices(variables)))
    expect([name, service]).toEqual([
      name,
      expect.objectContaining({
        read_only: true,
        security_opt: expect.arrayContaining(['no-new-privileges:true']),
        pids_limit: expect.any(Number),
        mem_limit: expect.stringMatching(/^\d+[mg]$/),
      }),
    ])
})

test('the worker shares networks with the stores alone', () => {
  const services = Object.entries(composeServices(variables))
  const of = (name: string) => services.find(([key]) => key === name)?.[1].networks ?? []
  const neighbours = services.filter(([, { networks = [] }]) =>
    networks.some((network) => of('worker').includes(network)),
  )
  expect(neighbours.map(([name]) => name).sort()).toEqual(['nats', 'postgres', 'worker'])
})

test('NATS is reached with its password', () => {
  const { nats, worker } = composeServices({ ...variables, NATS_PASSWORD: 'nats-secret' })
  expect(nats?.command).toEqual(
    expect.arrayContaining(['--user', 'assay', '--pass', 'nats-secret']),
  )
  expect(worker?.environment?.NATS_URL).toBe('nats://assay:nats-secret@nats:4222')
})

test('the system-call profile of the worker is a list of what is allowed, without tracing, keys, BPF and other namespaces', () => {
  const option = composeServices(variables).worker?.security_opt?.find((text) =>
    text.startsWith('seccomp='),
  )
  const file = new URL(`../../${option?.split('=')[1]}`, import.meta.url)
  const profile = JSON.parse(readFileSync(file, 'utf8')) as SystemCallProfile // our own file
  expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO')
  const allowed = profile.syscalls.filter(({ action }) => action === 'SCMP_ACT_ALLOW')
  for (const call of ['ptrace', 'process_vm_readv', 'keyctl', 'bpf', 'setns', 'io_uring_setup'])
    expect(allowed.flatMap(({ names }) => names)).not.toContain(call)
})

interface SystemCallProfile {
  defaultAction: string
  syscalls: { names: string[]; action: string }[]
}
