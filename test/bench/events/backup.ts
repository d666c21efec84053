import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { descendantsOf } from '../../support/process-tree.ts'
import { start } from '../../support/system/store.ts'
import { residentMebibytes } from '../memory.ts'
import { format, print } from '../samples.ts'
import { administer, type Running } from './product.ts'
import { EVENTS, fill, OCCURRENCES } from './reading.ts'

const SAMPLE_MS = 250

/** Time that `npm run backup` and `npm run restore` take, and what memory they need on the way. */
export async function benchBackup({ databaseUrl, assay }: Running): Promise<void> {
  print(`\n## Backup and restore of ${EVENTS} events and ${EVENTS * OCCURRENCES} occurrences`)
  await fill(databaseUrl)
  await assay.stop()
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-backup-'))
  const file = join(folder, 'backup.gz')
  const other = new URL(databaseUrl)
  other.pathname = '/restored'
  await administer(databaseUrl, 'create database restored')
  try {
    await run('backup', file, databaseUrl)
    print(`  file: ${format((await stat(file)).size / 1_024 ** 2)} MiB`)
    await run('restore', file, other.href)
    const count = 'select count(*)::int as count from events.raw_event'
    const [before, after] = [
      await administer(databaseUrl, count),
      await administer(other.href, count),
    ]
    print(`  occurrences: ${before.rows[0].count}, restored ${after.rows[0].count}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function run(command: 'backup' | 'restore', file: string, url: string): Promise<void> {
  const begin = performance.now()
  const started = start(command, file, { DATABASE_URL: url })
  let isOver = false
  const memory: number[] = []
  const sampling = (async () => {
    for (; !isOver; await delay(SAMPLE_MS)) {
      const all = [started.pid, ...(await descendantsOf([started.pid])).map(({ pid }) => pid)]
      const each = await Promise.all(all.map((pid) => residentMebibytes(pid).catch(() => 0)))
      const sum = each.reduce((total, mebibytes) => total + mebibytes, 0)
      if (sum > 0) memory.push(sum)
    }
  })()
  const { code } = await started.exited
  isOver = true
  await sampling
  const seconds = format((performance.now() - begin) / 1_000)
  const tenths = Array.from(
    { length: 10 },
    (_, at) => memory[Math.floor((at * memory.length) / 10)],
  )
  print(
    `${command}: ended with ${code} after ${seconds} s; resident MiB at each tenth: ${tenths.join(' ')}, most ${Math.max(...memory)}`,
  )
}
