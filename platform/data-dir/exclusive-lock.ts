import { once } from 'node:events'
import { unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from './error-code.ts'

/** Gives the lock back; twice is harmless. */
export type Release = () => Promise<void>

/**
 * A lock between the processes of this machine that the kernel gives back however its holder ends: a listening local
 * socket. `undefined`: another process holds it.
 */
export async function tryLock(name: string): Promise<Release | undefined> {
  if (process.platform === 'linux') return listen(`\0${name}`) // abstract: no file, nothing to go stale
  if (process.platform === 'win32') return listen(`\\\\.\\pipe\\${name}`)
  return tryLockFile(join(tmpdir(), `${name}.sock`))
}

/** The same with a socket in the file system. Its file outlives a killed holder: without an answer it is stale. */
export async function tryLockFile(path: string): Promise<Release | undefined> {
  const release = await listen(path)
  if (release || (await answers(path))) return release
  await unlink(path).catch(() => {})
  return listen(path)
}

async function listen(path: string): Promise<Release | undefined> {
  const server = createServer((socket) => socket.destroy())
  server.listen(path)
  try {
    await once(server, 'listening')
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') return undefined
    throw error
  }
  server.unref()
  return () => close(server)
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return
  server.close()
  await once(server, 'close')
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}
