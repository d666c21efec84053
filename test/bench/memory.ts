import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Assay } from '../support/assay.ts'
import { print } from './samples.ts'

/** The resident memory of the product's process; the database and sandboxes have processes of their own. */
export async function printMemory(assay: Assay, when: string, waitSeconds = 0): Promise<void> {
  await delay(waitSeconds * 1_000)
  print(`memory ${when}: ${await residentMebibytes(assay.pids.server ?? 0)} MiB resident`)
}

export async function residentMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024)
}
