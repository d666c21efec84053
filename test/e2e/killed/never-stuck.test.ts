import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'graphql-ws'
import { readUntil } from '../../conformance/calls.ts'
import { readResult } from '../../conformance/executions.ts'
import { addressOf, ENTRY } from '../../support/assay.ts'
import { withoutDatabase } from '../../support/database.ts'
import { ask, collect, connect, watch } from '../../support/e2e/graph.ts'
import { assay, useAssay } from '../../support/e2e/product.ts'
import { ended, startPaused } from '../../support/e2e/scenarios.ts'
import { useGate } from '../../support/gate.ts'
import { descendantsOf, survivorsOf } from '../../support/process-tree.ts'
import { type ProductProcess, spawnProduct } from '../../support/product-process.ts'

useAssay()

describe('never stuck', () => {
  let client: Client
  beforeEach(() => {
    client = connect()
  })
  afterEach(() => client.dispose())
  const gate = useGate()

  /** Everything that was ever told of an execution, and how often its end was counted; asks again, as clients do. */
  async function traceOf(id: string) {
    const read = () =>
      ask<{ executionResult: { events: { timesSeen: number }[] } }>(
        'query ($id: ID!) { executionResult(id: $id) { events { timesSeen } } }',
        { id },
      )
    const { data } = await readUntil(
      read,
      ({ data, errors }) => errors.length === 0 && data?.executionResult.events.length !== 0,
    )
    const updates = await collect(watch(client, id, ''))
    return {
      result: (await readResult(id)).body,
      updates: updates.map(({ cursor, kind, step, log }) => ({ cursor, kind, step, log })),
      events: data?.executionResult.events,
    }
  }

  test('a process that was frozen for longer than its lease and wakes up changes nothing', async () => {
    const { runner } = assay().parts
    const pid = assay().pids[runner] ?? 0
    const { id } = await startPaused(client, gate())
    await client.dispose()
    client = connect()
    const sandboxes = await assay().sandboxes()
    process.kill(pid, 'SIGSTOP')
    const folder = await mkdtemp(join(tmpdir(), 'assay-second-'))
    let second: ProductProcess | undefined
    try {
      if (assay().mode === 'distributed') {
        second = spawnProduct('worker', ENTRY.worker, { ...assay().env }, folder)
        await addressOf(second)
        gate().open()
        expect(await ended(id)).toMatchObject({ state: 'COMPLETED' })
        const before = await traceOf(id)
        const said = assay().logs(runner).length
        process.kill(pid, 'SIGCONT')
        await readUntil(
          async () => assay().logs(runner).slice(said),
          (logs) => /no longer active under this worker's claim|Execution was ended/.test(logs),
        )
        expect(await traceOf(id)).toEqual(before)
      } else {
        // Nobody else can take it over: its own queue does, and the first run finds its lease gone.
        await delay(13_000) // its lease runs out
        gate().open()
        process.kill(pid, 'SIGCONT')
        expect(await ended(id)).toMatchObject({ state: 'COMPLETED' })
      }
    } finally {
      process.kill(pid, 'SIGCONT')
      second?.signal('SIGTERM')
      await second?.exited
      await rm(folder, { recursive: true, force: true })
    }
    expect(await survivorsOf(sandboxes)).toEqual([])
    const { updates, events } = await traceOf(id)
    expect(events).toEqual([{ timesSeen: 1 }])
    expect(updates.filter(({ kind }) => kind === 'STATE')).toHaveLength(2)
  })

  test('a database that restarts in the middle of an execution costs it nothing but time', async () => {
    const { id } = await startPaused(client, gate())
    await client.dispose()
    await loseDatabase()
    gate().open()
    client = connect()
    expect(await ended(id)).toMatchObject({ state: 'COMPLETED', message: '' })
    expect((await traceOf(id)).events).toEqual([{ timesSeen: 1 }])
  })

  /** So long that everybody notices. */
  const AWAY_MS = 2_000

  /** Kills the database of the one process; takes that of many away for a while. */
  async function loseDatabase(): Promise<void> {
    if (assay().mode === 'in-process') {
      const all = await descendantsOf(Object.values(assay().pids))
      const postgres = all.find(({ command }) => /bin\/postgres -D/.test(command))
      if (!postgres) throw new Error('No database runs')
      process.kill(postgres.pid, 'SIGKILL')
      return
    }
    await withoutDatabase(assay().env.DATABASE_URL ?? '', () => delay(AWAY_MS))
  }
})
