import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createLauncher } from '../../../runner/sandbox/launcher.ts'

test('processes that ended before their worker got round to them have started all the same', async () => {
  const launcher = createLauncher()
  try {
    await launcher.launch(['true'])
    const launched = Promise.all([1, 2, 3].map(() => launcher.launch(['true'])))
    await new Promise(setImmediate) // the command is sent
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000) // nothing that comes is taken meanwhile
    for (const { exited, stdio } of await launched) {
      expect(await exited).toMatchObject({ code: 0, signal: null })
      stdio.destroy()
    }
  } finally {
    await launcher.stop()
  }
})

test('the connection to a process has no address that another process could connect to', async () => {
  const launcher = createLauncher()
  const { stdio, exited } = await launcher.launch(['cat'])
  try {
    expect(ownAddresses()).toEqual([])
  } finally {
    stdio.end()
    await exited
    await launcher.stop()
  }
})

/** Addresses of Unix sockets that this process holds. */
function ownAddresses(): string[] {
  const own = new Set(
    readdirSync('/proc/self/fd').map((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1]
      } catch {
        return undefined // that of the folder itself
      }
    }),
  )
  const sockets = readFileSync('/proc/net/unix', 'utf8').trim().split('\n').slice(1)
  return sockets
    .map((line) => line.split(/\s+/))
    .flatMap(([, , , , , , inode, address]) => (address && own.has(inode) ? [address] : []))
}
