import { fstatSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { takenOf } from '../websocket/liveness.ts'

/** Looks that find a reader lost in a row. The one before wrote what it does not acknowledge: three keep-alives in all. */
const LOOKS = 2

/** Sockets of IPv4 and IPv6; only Linux has them. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']

/** A connection with unacknowledged bytes: its repetitions, its probes of a closed window, and the inode of its socket. */
const UNACKNOWLEDGED =
  / 01 (?!0{8})[\dA-F]{8}:[\dA-F]{8} \d\d:[\dA-F]{8} ([\dA-F]{8})\s+\d+\s+(\d+) (\d+) /g

/** Inodes of sockets whose peer acknowledges nothing for longer than its answers took before. */
export async function unacknowledged(tables = TABLES): Promise<ReadonlySet<number>> {
  const texts = await Promise.all(tables.map((file) => readFile(file, 'latin1').catch(() => '')))
  const found = texts.flatMap((text) => [...text.matchAll(UNACKNOWLEDGED)])
  return new Set(
    found
      .filter(([, repeated = '', probes]) => Number.parseInt(repeated, 16) > 0 || probes !== '0')
      .map(([, , , inode]) => Number(inode)),
  )
}

/** Looks after the reader of a response, who never says that it is there. */
export class Reader {
  #taken = ''
  #lost = 0

  constructor(private readonly body: Writable & { socket?: Socket | null }) {}

  /** True if it is lost: called with each keep-alive. @param silent as `unacknowledged` says */
  isLost(silent: ReadonlySet<number>): boolean {
    const { socket } = this.body
    if (!socket) return false
    const before = this.#taken
    this.#taken = takenOf(socket)
    const takesNothing = socket.writableLength > 0 && this.#taken === before
    this.#lost = takesNothing || silent.has(inodeOf(socket)) ? this.#lost + 1 : 0
    return this.#lost >= LOOKS
  }
}

/** Only a private property leads from a socket to what the system says of it. */
function inodeOf(socket: Socket & { _handle?: { fd?: number } | null }): number {
  const { fd = -1 } = socket._handle ?? {}
  return fd < 0 ? -1 : fstatSync(fd).ino
}
