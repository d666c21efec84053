import { readdirSync, readFileSync } from 'node:fs'

let calls = 0
/** A sleep that no other process of the machine has, and whether it lives; one that is not yet collected does not. */
export function markedSleep() {
  calls += 1
  const seconds = `300.${process.pid}${calls}`
  const isAlive = () =>
    readdirSync('/proc').some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${seconds}\0`
      } catch {
        return false
      }
    })
  return { sleep: `sleep ${seconds}`, isAlive }
}

/** The kernel takes a moment to carry out a kill. */
export async function hasEnded({ isAlive }: { isAlive(): boolean }): Promise<void> {
  while (isAlive()) await new Promise((resolve) => setImmediate(resolve))
}
