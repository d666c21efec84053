import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  checkArchive,
  DamagedBackup,
  type Frame,
  readArchive,
  writeArchive,
} from '../../backup/archive.ts'
import { requireKnown } from '../../backup/create-tables.ts'
import { FORMAT, type Manifest } from '../../backup/manifest.ts'

const ROWS = Buffer.from('1\tone\n2\ttwo\n')

const MANIFEST: Manifest = {
  format: FORMAT,
  assay: '1.0.0',
  postgres: '18.0',
  createdAt: '2026-01-01T00:00:00.000Z',
  jobs: null,
  migrations: {},
  tables: [
    {
      schema: 'events',
      name: 'event',
      columns: ['id', 'title'],
      rows: 2,
      bytes: ROWS.length,
      sha256: '2aea860edf2a80612508fe114c77f1c9ede1d14ef8167844a4aa78baad5f9d1f',
    },
  ],
  sequences: [],
  sealed: null,
}

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-archive-'))
  file = join(folder, 'a.backup.gz')
})
afterEach(() => rm(folder, { recursive: true }))

async function* framesOf(...frames: Frame[]): AsyncGenerator<Frame> {
  yield* frames
}

const part: Frame = { table: 'events.event', rows: ROWS }

const write = (bound?: string) =>
  writeArchive(file, framesOf(part, { manifest: manifestWith(bound) }))

const manifestWith = (bound?: string): Manifest => ({
  ...MANIFEST,
  tables: MANIFEST.tables.map((table) => ({
    ...table,
    ...(bound && { partition: { of: 'raw_event', bound } }),
  })),
})

test('what was written is read again, and only its owner can', async () => {
  await write()
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const read: Frame[] = []
  for await (const frame of readArchive(file)) read.push(frame)
  expect(read).toEqual([part, { manifest: MANIFEST }])
  expect(await checkArchive(file)).toEqual(MANIFEST)
})

test('a backup may name the commit of its build', async () => {
  const manifest = { ...MANIFEST, revision: '2474dc5' }
  await writeArchive(file, framesOf(part, { manifest }))
  expect(await checkArchive(file)).toEqual(manifest)
})

test.each([
  ['2474dc5', 'Assay 1.0.0 (commit 2474dc5)'],
  [
    undefined,
    'Assay 1.0.0, made at 2026-01-01T00:00:00.000Z by a version that did not name its commit',
  ],
])('the refusal of a backup of the commit %s names its writer', (revision, writer) => {
  const manifest = { ...MANIFEST, ...(revision && { revision }), migrations: { events: ['Later'] } }
  expect(() => requireKnown(manifest)).toThrow(
    `This version cannot restore a backup of ${writer}: events has the migrations Later. Restore it with the version that wrote it.`,
  )
})

test('a backup that fails leaves no file', async () => {
  const failing = async function* (): AsyncGenerator<Frame> {
    yield part
    throw new Error('The connection was lost')
  }
  await expect(writeArchive(file, failing())).rejects.toThrow('The connection was lost')
  expect(await readdir(folder)).toEqual([])
})

test.each([
  [
    'other rows',
    `{"table":"events.event","bytes":12}\n1\tone\n2\ttoo\n{"manifest":${JSON.stringify(MANIFEST)}}\n`,
  ],
  ['no rows', `{"manifest":${JSON.stringify(MANIFEST)}}\n`],
  ['no manifest', `{"table":"events.event","bytes":12}\n${ROWS}`],
  [
    'something behind its end',
    `{"table":"events.event","bytes":12}\n${ROWS}{"manifest":${JSON.stringify(MANIFEST)}}\nmore`,
  ],
  ['a part that claims to be huge', '{"table":"events.event","bytes":1e15}\n'],
  ['a part of a negative length', '{"table":"events.event","bytes":-1}\n'],
  ['a part without a length', '{"table":"events.event"}\n'],
  ['text that is none', 'rows'],
])('a file with %s is refused', async (_, content) => {
  await writeFile(file, gzipSync(content))
  await expect(checkArchive(file)).rejects.toThrow(DamagedBackup)
})

test.each([
  `FOR VALUES FROM ('2026-01-01 00:00:00+00') TO ('2026-01-02 00:00:00+00')`,
  `FOR VALUES IN ('a', 'b')`,
  'DEFAULT',
])('a partition is made with the bound %s', async (bound) => {
  await write(bound)
  expect((await checkArchive(file)).tables[0]?.partition?.bound).toBe(bound)
})

test.each([
  'DEFAULT; drop schema events',
  `FOR VALUES IN ('a'); drop schema events; --')`,
  `FOR VALUES IN ('\\'); drop schema events; --')`,
])('a bound that is a statement is refused: %s', async (bound) => {
  await write(bound)
  await expect(checkArchive(file)).rejects.toThrow('its manifest is none')
})

test('a missing file is no damaged one', async () => {
  await expect(checkArchive(join(folder, 'absent'))).rejects.toThrow(
    'absent cannot be read: there is no such file or folder. Name the file of a backup.',
  )
})

test.each([
  ['none/a.gz', 'there is no such file or folder', 'none'],
  ['file/a.gz', 'a part of its path is a file, not a folder', 'file'],
])('a backup into %s says why it cannot be written, and what to do', async (name, reason, at) => {
  await writeFile(join(folder, 'file'), '')
  await expect(writeArchive(join(folder, name), framesOf(part))).rejects.toThrow(
    `${name} cannot be written: ${reason}. Name a file in a folder that exists and takes writes: ${join(folder, at)} does not.`,
  )
})
