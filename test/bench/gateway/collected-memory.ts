import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import type { Assay } from '../../support/assay.ts'
import { residentMebibytes } from '../memory.ts'

/** The product listens for an inspector on a free port once it is asked to. */
export const INSPECTABLE = { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' }

export interface CollectedMemory {
  /** MiB of objects and buffers. */
  used: number
  /** MiB that the process holds. */
  resident: number
}

/** Memory of the product's process right after a garbage collection. It was started with `INSPECTABLE`. */
export async function collectedMemory(assay: Assay): Promise<CollectedMemory> {
  const pid = assay.pids.server ?? 0
  const listening = /Debugger listening on (ws:\S+)/
  if (!listening.test(assay.logs('server'))) process.kill(pid, 'SIGUSR1')
  await assay.says('server', listening)
  const [, address = ''] = listening.exec(assay.logs('server')) ?? []
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  try {
    for (let collections = 0; collections < 3; collections++) {
      await ask(socket, 'HeapProfiler.collectGarbage')
      await delay(200)
    }
    const { usedSize, backingStorageSize = 0 } = await ask(socket, 'Runtime.getHeapUsage')
    const used = (usedSize + backingStorageSize) / 1_024 ** 2
    return { used, resident: await residentMebibytes(pid) }
  } finally {
    socket.terminate()
  }
}

interface HeapUsage {
  usedSize: number
  backingStorageSize?: number
}

function ask(socket: WebSocket, method: string): Promise<HeapUsage> {
  const answered = new Promise<HeapUsage>((resolve, reject) => {
    socket.once('message', (data: Buffer) => resolve(JSON.parse(String(data)).result))
    socket.once('close', () => reject(new Error(`The inspector closed during ${method}`)))
  })
  socket.send(JSON.stringify({ id: 1, method }))
  return answered
}
