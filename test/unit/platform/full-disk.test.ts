import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCluster } from '../../../platform/data-dir/postgres-cluster.ts'
import { startServerProcess } from '../../../platform/data-dir/postgres-process.ts'

const FULL = 'could not write to file "pg_wal/xlogtemp.7": No space left on device'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-full-disk-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A program of PostgreSQL that says this, and fails. */
async function program(name: string, ...lines: string[]): Promise<string> {
  const file = join(folder, name)
  const says = lines.map((line) => `echo '${line}' >&2`)
  await writeFile(file, ['#!/bin/sh', ...says, 'exit 1', ''].join('\n'), { mode: 0o755 })
  return file
}

test('initdb on a full disk is one line with the reason, and has the code of a full disk', async () => {
  const initdb = await program(
    'initdb',
    'creating subdirectories ... ok',
    `running bootstrap script ... 2026-11-26 16:44:49 UTC [7] FATAL:  ${FULL}`,
    '2026-11-26 16:44:49 UTC [7] PANIC:  cannot abort transaction 1, it was already committed',
    'initdb: removing contents of data directory',
  )
  const binaries = { initdb, postgres: '' }
  const made = createCluster(join(folder, 'postgres'), {
    binaries,
    account: undefined,
    clusterName: 'assay',
    password: 'p',
  })
  await expect(made).rejects.toMatchObject({
    message: `initdb failed (1): ${FULL}`,
    code: 'ENOSPC',
  })
})

test('a server that does not start on a full disk has the code of a full disk', async () => {
  const postgres = await program('postgres', `[startup] FATAL:  ${FULL}`)
  const started = startServerProcess({
    postgres,
    directory: folder,
    account: undefined,
    settings: {},
    log: { info() {}, warn() {} },
    stalePid: undefined,
  })
  await expect(started).rejects.toMatchObject({
    message: `PostgreSQL ended (code 1). ${FULL}`,
    code: 'ENOSPC',
  })
})
