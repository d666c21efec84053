import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Assay } from '../_support/assay.ts'
import { print } from './samples.ts'

/** The resident memory of the product's process; the database and sandboxes have processes of their own. */
export async function printMemory(assay: Assay, when: string, waitSeconds = 0): Promise<void> {
  await delay(waitSeconds * 1_000)
  const pid = assay.pids.server
  const smaps = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  const mebibytes = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(smaps)?.[1] ?? 0) / 1024)
  print(
    `memory ${when}: ${mebibytes('Rss')} MiB resident, of which ${mebibytes('Anonymous')} MiB its own and the rest files`,
  )
}
