import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ENTRY, type ProcessName } from '../assay.ts'
import { spawnProduct } from '../product-process.ts'

/** Runs a process that has to give up at its start, and returns what it said. */
export async function lastWordsOf(name: ProcessName, env: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-faults-'))
  try {
    const process = spawnProduct(name, ENTRY[name], env, folder)
    expect(await process.exited).toEqual({ code: 1, signal: null })
    expect(process.output()).not.toMatch(/^ +at /m)
    return process.output()
  } finally {
    await rm(folder, { recursive: true })
  }
}
