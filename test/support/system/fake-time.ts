import { globSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathOf } from './programs.ts'

/** Variables that load a clock into a process. */
function fakeClock(): Record<string, string> {
  pathOf('faketime') // names the package where the library is missing
  const [library = ''] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  return {
    LD_PRELOAD: library,
    // Timers run by this one.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_NO_CACHE: '1',
  }
}

const ahead = (seconds: number): string => `${seconds < 0 ? '' : '+'}${seconds}s`

/** Variables of a process whose clock is ahead by some seconds, or behind. */
export const clockAhead = (seconds: number): Record<string, string> => ({
  ...fakeClock(),
  FAKETIME: ahead(seconds),
})

/** A clock that several processes have, and that is set while they run. */
export interface SharedClock {
  /** Variables of these processes. */
  env: Readonly<Record<string, string>>
  now(): Date
  set(time: Date): Promise<void>
  remove(): Promise<void>
}

export async function startClock(time: Date): Promise<SharedClock> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-clock-'))
  await chmod(folder, 0o755) // the account of PostgreSQL reads it
  const file = join(folder, 'clock')
  let offsetMs = 0
  const set = async (to: Date) => {
    const seconds = Math.round((+to - Date.now()) / 1_000)
    offsetMs = seconds * 1_000
    // A reader finds the one or the other.
    await writeFile(`${file}.new`, ahead(seconds))
    await rename(`${file}.new`, file)
  }
  await set(time)
  return {
    // Ages of files are those of the machine.
    env: { ...fakeClock(), FAKETIME_TIMESTAMP_FILE: file, NO_FAKE_STAT: '1' },
    now: () => new Date(Date.now() + offsetMs),
    set,
    remove: () => rm(folder, { recursive: true }),
  }
}
