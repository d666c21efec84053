import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressOf, ENTRY, modeOfProject, type ProcessName } from '../support/assay.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { productKeys } from '../support/product-keys.ts'
import { type ProductProcess, spawnProduct } from '../support/product-process.ts'

let database: TestDatabase
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-together-'))
  database = await createDatabase()
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

test('processes that start at once on a fresh database take turns to create its tables', async () => {
  const env = {
    PORT: '0',
    DATABASE_URL: database.url,
    ...productKeys(),
    INTERNAL_SECRET: randomBytes(32).toString('base64'),
    SANDBOX: 'best-effort',
  }
  const names: ProcessName[] =
    modeOfProject() === 'in-process'
      ? ['server', 'server']
      : ['events', 'events', 'test-execution', 'test-execution', 'worker']
  const processes: ProductProcess[] = names.map((name) =>
    spawnProduct(name, ENTRY[name], env, folder),
  )
  try {
    await Promise.all(processes.map(addressOf))
  } finally {
    for (const process of processes) process.signal('SIGTERM')
  }
  for (const process of processes) {
    expect(await process.exited).toEqual({ code: 0, signal: null })
    expect(process.output()).not.toMatch(/"level":(50|60)/)
  }
})
