import { globSync } from 'node:fs'
import { pathOf } from './programs.ts'

/** Variables of a process whose clock is ahead by some seconds, or behind. */
export function clockAhead(seconds: number): Record<string, string> {
  pathOf('faketime') // names the package where the library is missing
  const [library = ''] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  return {
    LD_PRELOAD: library,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
    // Timers run by this one.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_NO_CACHE: '1',
  }
}
