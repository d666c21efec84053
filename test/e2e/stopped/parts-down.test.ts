import { readUntil } from '../../conformance/calls.ts'
import { post, rawEvent, read, refusedAsAWhole } from '../../conformance/events.ts'
import { modeOfProject } from '../../support/assay.ts'
import { ask, connect } from '../../support/e2e/graph.ts'
import { assay, useAssay } from '../../support/e2e/product.ts'
import { run } from '../../support/e2e/scenarios.ts'
import { descendantsOf } from '../../support/process-tree.ts'

useAssay()

/** Takes away a part that a front depends on: a subgraph where each is a process, the database where there is only one. */
describe('parts down', () => {
  afterEach(async () => {
    await readUntil(
      () => ask('{ testCase(id: "tax-table") { events { totalCount } } }'),
      ({ errors }) => errors.length === 0,
    )
  })

  /** `events` is another subgraph's field: without that one it is null, and nothing around it. */
  const JOINED = `query ($id: ID!) {
  executionResult(id: $id) { state }
  joined: executionResult(id: $id) { events { title } }
}`

  interface Joined {
    joined: { events: object[] | null } | null
  }

  const distributed = modeOfProject() === 'distributed'

  if (distributed) {
    test('fields of a subgraph that is down are errors with a code, and the others work', async () => {
      const { id } = await run('tax-table')
      await assay().kill('events', 'SIGTERM')
      expect(await ask(JOINED, { id })).toMatchObject({
        status: 200,
        data: { executionResult: { state: 'FAILED' }, joined: { events: null } },
        errors: [
          {
            extensions: {
              code: 'DOWNSTREAM_UNREACHABLE',
              retryAfterSeconds: 2,
              requestId: expect.any(String),
            },
          },
        ],
      })
      expect(await post(rawEvent())).toMatchObject({ status: 503, body: refusedAsAWhole() })
      expect((await run('loan-schedule')).state).toBe('COMPLETED')

      await assay().restart('events')
      // Its end may become an event only now.
      const { data } = await readUntil(
        () => ask<Joined>(JOINED, { id }),
        (answer) => (answer.data?.joined?.events?.length ?? 0) > 0,
      )
      expect(data).toMatchObject({ joined: { events: [{ title: expect.any(String) }] } })
    })

    test('a gateway starts and serves while its subgraphs are down', async () => {
      await assay().kill('gateway', 'SIGTERM')
      await assay().kill('events', 'SIGTERM')
      await assay().kill('test-execution', 'SIGTERM')
      await assay().restart('gateway')
      expect((await fetch(`${assay().url}/healthz`)).status).toBe(200)
      expect(await ask('{ __typename __schema { queryType { name } } }')).toMatchObject({
        data: { __typename: 'Query', __schema: { queryType: { name: 'Query' } } },
        errors: [],
      })
      expect(await ask('{ testCase(id: "tax-table") { name } }')).toMatchObject({
        data: { testCase: null },
        errors: [{ extensions: { code: 'DOWNSTREAM_UNREACHABLE' } }],
      })

      await assay().restart('test-execution')
      await readUntil(
        () => ask('{ testCase(id: "tax-table") { name } }'),
        ({ errors }) => errors.length === 0,
      )
      await assay().restart('events')
    })

    test('a subscription to a subgraph that is down is refused, and its socket stays open', async () => {
      await assay().kill('test-execution', 'SIGTERM')
      const client = connect()
      const down = client.iterate({
        query: 'subscription { executionUpdated(id: "x") { kind } }',
      })
      const up = client.iterate({ query: '{ __typename }' })
      const [refusal, answer] = await Promise.allSettled([down.next(), up.next()])
      expect(refusal).toMatchObject({
        reason: [{ extensions: { code: 'DOWNSTREAM_UNREACHABLE' } }],
      })
      expect(answer).toMatchObject({ value: { value: { data: { __typename: 'Query' } } } })
      await client.dispose()
      await assay().restart('test-execution')
    })
  } else {
    const database = async () => {
      const [server] = Object.values(assay().pids)
      const below = await descendantsOf([server ?? 0])
      return below.find(({ command }) => /bin\/postgres -D/.test(command))?.pid
    }
    const killDatabase = async () => {
      const killed = (await database()) ?? fail()
      process.kill(killed, 'SIGKILL')
      return killed
    }

    test('a database that is killed is started again, and what was stored is there', async () => {
      const { id } = await run('tax-table')
      const { accepted } = (await post(rawEvent())).body.result
      const killed = await killDatabase()
      // A process that the killed one started may answer a last time.
      await readUntil(database, (pid) => pid !== undefined && pid !== killed)
      await readUntil(
        () => ask(JOINED, { id }),
        ({ errors }) => errors.length === 0,
      )
      expect((await read(accepted?.[0]?.id ?? '')).status).toBe(200)
      expect((await run('loan-schedule')).state).toBe('COMPLETED')
    })

    test('a request that meets the dead database gets an error that tells nothing of it', async () => {
      await killDatabase()
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => ask('{ testCase(id: "tax-table") { name } }')),
      )
      for (const { errors } of answers)
        for (const { extensions, message } of errors) {
          expect(extensions.code).toMatch(/^(OVERLOADED|INTERNAL_SERVER_ERROR)$/)
          expect(message).not.toMatch(/ECONN|postgres|terminat/i)
        }
      await readUntil(
        () => ask('{ testCase(id: "tax-table") { name } }'),
        ({ errors }) => errors.length === 0,
      )
    })

    test('a server that is killed leaves a database that its next start takes over', async () => {
      const { id } = await run('tax-table')
      await assay().kill('server', 'SIGKILL')
      await assay().restart('server')
      expect(await ask(JOINED, { id })).toMatchObject({
        data: { executionResult: { state: 'FAILED' } },
        errors: [],
      })
    })
  }

  function fail(): never {
    throw new Error('No database runs')
  }
})
