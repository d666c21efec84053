import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildFormerVersion, type FormerVersion } from '../drills/former.ts'
import { type Assay, startAssay } from '../support/assay.ts'
import { ask, execute } from '../support/web/ask.ts'

const EVENT = { title: 'Disk almost full', severity: 'WARN', status: 'OPEN', tags: ['upgrade'] }

let folder: string
let former: FormerVersion
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-upgrade-'))
  former = await buildFormerVersion()
})
afterAll(async () => {
  await former?.remove()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Starts a version on the data folder, and stops it afterwards. */
async function within<T>(dist: string | undefined, use: (assay: Assay) => Promise<T>): Promise<T> {
  const env = { DATA_DIR: join(folder, 'data') }
  const assay = await startAssay({ mode: 'in-process', env, ...(dist && { dist }) })
  try {
    return await use(assay)
  } finally {
    await assay.stop()
  }
}

const json = async (assay: Assay, path: string, init?: RequestInit) => {
  const response = await fetch(`${assay.url}/api${path}`, init)
  return (await response.json()) as Record<string, unknown> // objects in all rows that are used here
}

const send = (assay: Assay) =>
  json(assay, '/v1/events', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(EVENT),
  })

/** Data as a version shows it; fields that only a later one has are left out. */
async function seen(assay: Assay, resultId: string) {
  const simple = await json(assay, `/result/${resultId}`)
  const { id, state, contextId, started, ended, executedBy } = simple
  const { testCase, events } = await ask<{ testCase: unknown; events: unknown }>(
    assay,
    `{
      testCase(id: "tax-table") { name revision componentUnderTest { name sourceCode } }
      events(query: "tags:upgrade") { nodes { id title timesSeen status } }
    }`,
  )
  return { result: { id, state, contextId, started, ended, executedBy }, testCase, events }
}

test('this version goes on with a data folder of the version before, which goes on after a roll back', async () => {
  const first = await within(former.dist, async (assay) => {
    const failed = await execute(assay, 'tax-table')
    const { result } = await send(assay)
    expect(result).toMatchObject({ sent: 1 })
    return { id: failed, seen: await seen(assay, failed) }
  })
  expect(first.seen).toMatchObject({
    result: { state: 'FAILED' },
    events: { nodes: [{ timesSeen: 1 }] },
  })

  const again = await within(undefined, async (assay) => {
    expect(await seen(assay, first.id)).toEqual(first.seen)
    await send(assay)
    const passed = await execute(assay, 'loan-schedule')
    return { id: passed, seen: await seen(assay, passed) }
  })
  expect(again.seen).toMatchObject({
    result: { state: 'COMPLETED' },
    events: { nodes: [{ timesSeen: 2 }] },
  })

  await within(former.dist, async (assay) => {
    expect(await seen(assay, again.id)).toEqual(again.seen)
    expect((await seen(assay, first.id)).result).toEqual(first.seen.result)
  })
})
