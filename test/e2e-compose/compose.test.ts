import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../platform/data-dir/embedded-postgres.ts'
import { freePort } from '../../platform/data-dir/free-port.ts'
import { encoded } from '../conformance/executions.ts'
import { eventually } from '../support/eventually.ts'
import { startNatsServer } from '../support/system/nats-server.ts'
import { inStartOrder, readComposeFile, type Service } from './compose-file.ts'
import { type Container, runContainer, SECRETS, untilHealthy } from './container.ts'
import { buildImage } from './image.ts'

/** Programs are off in the file; what stands around them is tried all the same. */
const PROGRAMS = { COMMAND_STEPS: 'on', COMMAND_MEMORY_MIB: '100' }
const { services } = readComposeFile()
const LISTENING = { gateway: 4000, 'test-execution': 4001, events: 4002, accounts: 4003 }
/** Address of a worker's liveness. */
const METRICS = '127.0.0.1:9464'
const product = inStartOrder(services).filter(([, { build }]) => build)

describe('what the file says, run as containers on the network of this machine', () => {
  const undo: (() => unknown)[] = []
  const containers = new Map<string, Container>()
  const hosts = new Map<string, string>()
  let url: string
  let secrets: string
  /** The sign-in of the first administrator. */
  let admin: string

  const secret = async (name: string) => (await readFile(join(secrets, name), 'utf8')).trim()

  beforeAll(async () => {
    const image = await buildImage()
    undo.push(() => image.remove())
    secrets = await mkdtemp(join(tmpdir(), 'assay-secrets-'))
    undo.push(() => rm(secrets, { recursive: true }))
    execFileSync('sh', ['deploy/make-secrets.sh', secrets])
    admin = `Basic ${btoa(`admin@localhost:${await secret('admin_password')}`)}`
    const database = await startEmbeddedPostgres({
      directory: join(image.folder, 'postgres'),
      password: await secret('postgres_password'),
      log: { info: () => {}, warn: () => {} },
    })
    undo.push(() => database.stop())
    const nats = await startNatsServer(
      services.nats?.command?.map((word) => word.replace(SECRETS, secrets)),
    )
    undo.push(() => nats.stop())
    hosts.set('postgres:5432', new URL(database.url).host).set('nats:4222', new URL(nats.url).host)
    for (const [name, port] of Object.entries(LISTENING)) {
      const here = `127.0.0.1:${await freePort()}`
      hosts.set(`${name}:${port}`, here).set(`haproxy:${port}`, here) // one of each, without a balancer
    }
    hosts.set(METRICS, `127.0.0.1:${await freePort()}`)
    for (const name of await readdir(secrets))
      await writeFile(join(secrets, name), local(await readFile(join(secrets, name), 'utf8')))
    url = `http://${hosts.get('gateway:4000')}`

    for (const [name, service] of product) {
      const container = runContainer(service, environmentOf(name, service), image.folder, secrets)
      undo.push(() => container.stop())
      containers.set(name, container)
      if (service.healthcheck)
        await untilHealthy(
          service.healthcheck.test.map((word) => local(word)),
          container,
        )
    }
    await eventually(async () => {
      const { ok } = await fetch(`${url}/readyz`)
      if (!ok) throw new Error('The balancer would not send a request to the gateway yet')
    })
  })

  afterAll(async () => {
    for (const release of undo.reverse()) await release()
  })

  /** A text of the file, with addresses of its network replaced by where they are on this machine. */
  function local(text: string): string {
    return text.replace(/([\w.-]+):(\d+)/g, (found, host, port) => {
      const isMeant = (address: string) =>
        host === '127.0.0.1' ? address.endsWith(`:${port}`) : address === found
      return hosts.get([...hosts.keys()].find(isMeant) ?? '') ?? found
    })
  }

  /** The variables of a service. Its network is this machine's loopback interface, so that is what it binds. */
  function environmentOf(name: string, { environment = {} }: Service): Record<string, string> {
    const port = [...hosts].find(([address]) => address.startsWith(`${name}:`))?.[1].split(':')[1]
    const entries = Object.entries(environment).map(([key, value]) => [key, local(value)])
    const address = port ? { HOST: '127.0.0.1', PORT: port } : {}
    // On one interface, only the worker has the port that the file names.
    const metrics = name === 'worker' ? hosts.get(METRICS)?.split(':')[1] : '0'
    const observed = environment.METRICS_PORT
      ? { METRICS_HOST: '127.0.0.1', METRICS_PORT: `${metrics}` }
      : {}
    return { ...Object.fromEntries(entries), ...PROGRAMS, ...address, ...observed }
  }

  test('a scenario is executed to its end over REST', async () => {
    const response = await fetch(`${url}/api/testcase/loan-schedule/execute?synchron=true`, {
      method: 'POST',
      headers: { authorization: admin, credentials: encoded('ci', 'secret') },
    })
    expect(await response.json()).toMatchObject({
      state: 'COMPLETED',
      executedBy: 'admin@localhost',
    })
  })

  test('a program makes no namespace and is ended for its memory, although /proc is masked', async () => {
    const post = async (path: string, body: object) => {
      const headers = {
        'content-type': 'application/json',
        authorization: admin,
        credentials: encoded('ci', 'secret'),
      }
      const sent = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await fetch(`${url}/api${path}`, sent)).json()
    }
    const script = '! unshare --user true && exec perl -e "push @all, q(x) x 1e7 while 1"'
    const steps = [{ id: 'a', command: { program: 'sh', args: ['-c', script] } }]
    await post('/environment', { id: 'host', name: 'host', runners: ['COMMAND'] })
    const scenario = { id: 'greedy', name: 'greedy', environment: 'host', scenario: { steps } }
    await post('/testcase', { ...scenario, componentUnderTest: 'loan-schedule' })
    expect(await post('/testcase/greedy/execute?synchron=true', {})).toMatchObject({
      state: 'ERROR',
      message: expect.stringContaining('COMMAND_MEMORY_MIB'),
    })
  })

  test('an event is accepted and can be read', async () => {
    const response = await fetch(`${url}/api/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: admin },
      body: JSON.stringify({ title: 'Disk almost full' }),
    })
    expect(response.status).toBe(202)
    const { result } = (await response.json()) as { result: { accepted: [{ id: string }] } }
    const read = await fetch(`${url}/api/v1/events/${result.accepted[0].id}`, {
      headers: { authorization: admin },
    })
    expect(await read.json()).toMatchObject({ title: 'Disk almost full', timesSeen: 1 })
  })

  test('a listening part that could be reached from elsewhere says who gets in', () => {
    for (const [name, { environment }] of product.filter(
      ([, { environment }]) => environment?.HOST,
    ))
      expect([name, environment?.AUTH_MODE]).toEqual([name, 'users'])
    expect(product.map(([name]) => name)).toEqual([...containers.keys()])
  })

  test('every part ends with exit code 0 when it is told to stop', async () => {
    for (const [name, container] of [...containers].reverse())
      expect([name, await container.stop(), container.output()]).toEqual([
        name,
        0,
        expect.anything(),
      ])
  })
})
