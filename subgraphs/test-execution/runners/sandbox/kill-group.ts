import type { ChildProcess } from 'node:child_process'

/** Kills a detached child with its process group, which holds whatever it may have started. Twice is harmless. */
export function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // already gone
  }
}
