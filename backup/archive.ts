import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { refusedAs } from '../formats/artifact-files/file-reason.ts'
import { syncFolder } from '../platform/data-dir/durable-file.ts'
import { type Manifest, nameOf, toManifest } from './manifest.ts'

/**
 * A part of a backup. The file is gzip over a sequence of frames: a line of JSON, and behind `{"table": …, "bytes": n}`
 * n bytes of that table's rows as COPY writes them. The parts of a table follow one another. The last frame is
 * `{"manifest": …}`: a file without it is incomplete.
 */
export type Frame = { table: string; rows: Buffer } | { manifest: Manifest }

/** Target size of a part. */
export const PART_BYTES = 1_048_576
/** No frame is longer, so what an altered file claims costs no memory. */
const FRAME_BYTES = 64 * PART_BYTES
/** Four times as fast as the default of 6, for a file that is a tenth larger. */
const GZIP_LEVEL = 1
const NEW_LINE = 10

/** The file is not a whole backup. */
export class DamagedBackup extends Error {
  override name = 'DamagedBackup'

  constructor(path: string, reason: string) {
    super(`${path} is no whole backup (${reason}). Nothing was restored; use another backup.`)
  }
}

/** Writes a file that only its owner can read. It gets its name when it is whole and on disk. */
export const writeArchive = (path: string, frames: AsyncIterable<Frame>): Promise<void> =>
  write(path, frames).catch(
    refusedAs(
      `${path} cannot be written`,
      `Name a file in a folder that exists and takes writes: ${dirname(path)} does not.`,
    ),
  )

async function write(path: string, frames: AsyncIterable<Frame>): Promise<void> {
  const draft = `${path}.part`
  await rm(draft, { force: true })
  try {
    await pipeline(
      () => bytesOf(frames),
      createGzip({ level: GZIP_LEVEL, chunkSize: PART_BYTES }),
      createWriteStream(draft, { mode: 0o600, flush: true }),
    )
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

async function* bytesOf(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  for await (const frame of frames)
    if ('manifest' in frame) yield lineOf(frame)
    else {
      yield lineOf({ table: frame.table, bytes: frame.rows.length })
      yield frame.rows
    }
}

const lineOf = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)

/** @throws DamagedBackup where the file ends early or was altered; what came before is not to be trusted then */
export async function* readArchive(path: string): AsyncGenerator<Frame> {
  const file = createReadStream(path)
  const gunzip = createGunzip({ chunkSize: PART_BYTES })
  const fed = pipeline(file, gunzip)
  fed.catch(() => {}) // the reader below meets the same fault
  try {
    yield* framesOf(gunzip)
  } catch (error) {
    const fault = error as NodeJS.ErrnoException // as streams and framesOf fail
    if (!('syscall' in fault)) throw new DamagedBackup(path, fault.message)
    refusedAs(`${path} cannot be read`, 'Name the file of a backup.')(fault)
  } finally {
    file.destroy()
  }
}

async function* framesOf(gunzip: Readable): AsyncGenerator<Frame> {
  const chunks: AsyncIterator<Buffer> = gunzip[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    if (held.length > FRAME_BYTES) throw new Error('a part is too long')
    const { done, value } = await chunks.next()
    if (!done) held = Buffer.concat([held, value])
    return !done
  }
  const take = (bytes: number): Buffer => {
    const taken = held.subarray(0, bytes)
    held = held.subarray(bytes)
    return taken
  }
  for (;;) {
    while (!held.includes(NEW_LINE)) if (!(await more())) throw new Error('it ends early')
    const head: { table?: unknown; bytes?: unknown; manifest?: unknown } = JSON.parse(
      take(held.indexOf(NEW_LINE) + 1).toString(),
    )
    if (head.manifest !== undefined) {
      const manifest = toManifest(head.manifest)
      if (!manifest) throw new Error('its manifest is none')
      if (held.length > 0 || (await more())) throw new Error('it goes on behind its end')
      yield { manifest }
      return
    }
    const { table, bytes } = head
    if (typeof table !== 'string' || !isLength(bytes)) throw new Error('a part is none')
    while (held.length < bytes) if (!(await more())) throw new Error('it ends early')
    yield { table, rows: take(bytes) }
  }
}

const isLength = (bytes: unknown): bytes is number =>
  typeof bytes === 'number' && Number.isInteger(bytes) && bytes >= 0 && bytes <= FRAME_BYTES

/**
 * Reads all of a backup and compares it with its manifest.
 * @throws DamagedBackup where something is missing or was altered
 */
export async function checkArchive(path: string): Promise<Manifest> {
  const found = new Map<string, { bytes: number; hash: ReturnType<typeof createHash> }>()
  for await (const frame of readArchive(path)) {
    if ('manifest' in frame) {
      compare(path, frame.manifest, found)
      return frame.manifest
    }
    const { table, rows } = frame
    const sum = found.get(table) ?? { bytes: 0, hash: createHash('sha256') }
    sum.bytes += rows.length
    sum.hash.update(rows)
    found.set(table, sum)
  }
  throw new DamagedBackup(path, 'it has no manifest')
}

function compare(
  path: string,
  { tables }: Manifest,
  found: ReadonlyMap<string, { bytes: number; hash: ReturnType<typeof createHash> }>,
): void {
  const expected = tables.filter(({ bytes }) => bytes > 0)
  if ([...found.keys()].join() !== expected.map(nameOf).join())
    throw new DamagedBackup(path, 'its tables are not those of its manifest')
  for (const table of expected) {
    const sum = found.get(nameOf(table))
    if (sum?.bytes !== table.bytes || sum.hash.digest('hex') !== table.sha256)
      throw new DamagedBackup(path, `the rows of ${nameOf(table)} were altered`)
  }
}
