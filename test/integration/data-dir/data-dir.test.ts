import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type DataDir, openDataDir } from '../../../platform/data-dir/data-dir.ts'
import { useDataDirDatabase } from '../../../platform/data-dir/data-dir-database.ts'
import { tryLockFile } from '../../../platform/data-dir/exclusive-lock.ts'
import { Folders } from './holder.ts'

let parent: string
const folders = new Folders()
const opened: DataDir[] = []
const open = async (path: string) => {
  const dataDir = await openDataDir(path)
  opened.push(dataDir)
  return dataDir
}
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'assay-keys-'))
})
afterEach(async () => {
  for (const dataDir of opened.splice(0)) await dataDir.release()
  await folders.clear()
  await rm(parent, { recursive: true })
})

test('the keys are made once, for their owner alone', async () => {
  const first = await open(join(parent, 'a/data'))
  expect(Buffer.from(first.keys.secretsKey, 'base64')).toHaveLength(32)
  expect(
    Buffer.from(first.keys.callbackSigningSecret.replace('whsec_', ''), 'base64'),
  ).toHaveLength(32)
  expect((await stat(first.path)).mode & 0o777).toBe(0o700)
  expect((await stat(join(first.path, 'keys.json'))).mode & 0o777).toBe(0o600)
  await first.release()
  await first.release()
  const second = await open(join(parent, 'a/data'))
  expect(second.keys).toEqual(first.keys)
})

test('a key that an older installation lacks is added, the others stay', async () => {
  const secretsKey = Buffer.alloc(32).toString('base64')
  await writeFile(join(parent, 'keys.json'), JSON.stringify({ secretsKey, later: 'version' }))
  await chmod(join(parent, 'keys.json'), 0o644)
  const { keys } = await open(parent)
  expect(keys).toMatchObject({ secretsKey, internalSecret: expect.any(String), later: 'version' })
  expect(JSON.parse(await readFile(join(parent, 'keys.json'), 'utf8'))).toEqual(keys)
  expect((await stat(join(parent, 'keys.json'))).mode & 0o777).toBe(0o600)
})

test.each(['', '{"secretsKey":', '[]', 'null', '{"secretsKey":5}'])(
  'damaged keys (%j) are never replaced, and the folder is not kept locked',
  async (text) => {
    await writeFile(join(parent, 'keys.json'), text)
    await expect(open(parent)).rejects.toThrow('damaged')
    await expect(open(parent)).rejects.toThrow('damaged')
    expect(await readFile(join(parent, 'keys.json'), 'utf8')).toBe(text)
  },
)

test.each([
  [{ secretsKey: 'x' }, 'secretsKey must be 32 bytes in Base64'],
  [{ previousSecretsKey: 'y' }, 'previousSecretsKey must be 32 bytes in Base64'],
  [{ callbackSigningSecret: 'z' }, 'callbackSigningSecret must be whsec_ and at least 24 bytes'],
  [{ previousSecretKey: 'p' }, 'previousSecretKey is no key: previousSecretsKey is meant'],
])('a key that an operator wrote wrong ends the start: %j', async (stored, fault) => {
  await writeFile(join(parent, 'keys.json'), JSON.stringify(stored))
  await expect(open(parent)).rejects.toThrow(`keys.json is wrong:\n  - ${fault}`)
  expect(JSON.parse(await readFile(join(parent, 'keys.json'), 'utf8'))).toEqual(stored)
})

test('no keys are made for a database that has lost its own', async () => {
  await mkdir(join(parent, 'postgres'))
  await writeFile(join(parent, 'postgres/PG_VERSION'), '18\n')
  await expect(open(parent)).rejects.toThrow(/keys\.json is missing, .* restore it from a backup/)
  await expect(useDataDirDatabase(parent, console)).rejects.toThrow('keys.json is missing')
  expect(await readdir(parent)).toEqual(['postgres'])
})

test.each([
  ['/proc/assay', 'there is no such file or folder'],
  ['file', 'a file of that name is there'],
  ['file/data', 'a part of its path is a file, not a folder'],
  ['taken', 'it is a folder, not a file'],
])(
  'the data folder %s cannot be used, and the message says why and what to do',
  async (name, reason) => {
    await writeFile(join(parent, 'file'), '')
    await mkdir(join(parent, 'taken/keys.json'), { recursive: true })
    const path = resolve(parent, name)
    await expect(open(path)).rejects.toThrow(
      `The data folder ${path} cannot be used: ${reason}. Set DATA_DIR to a folder`,
    )
  },
)

test('a tool says why a database that does not run cannot be started', async () => {
  await mkdir(join(parent, 'postgres'))
  await writeFile(join(parent, 'postgres/PG_VERSION'), '18\n')
  await mkdir(join(parent, 'keys.json'))
  await expect(useDataDirDatabase(parent, console)).rejects.toThrow(
    `The data folder ${parent} cannot be used: it is a folder, not a file`,
  )
  await rm(join(parent, 'keys.json'), { recursive: true })
  await writeFile(join(parent, 'keys.json'), '{}')
  await open(parent)
  await expect(useDataDirDatabase(parent, console)).rejects.toThrow(/^Another Assay process uses/)
})

test('a folder has one user at a time, by whichever path it is reached', async () => {
  const first = await open(join(parent, 'data'))
  await symlink(first.path, join(parent, 'alias'))
  const refusal = /^Another Assay process uses the data folder .*data; stop it or set DATA_DIR$/
  await expect(open(join(parent, 'data'))).rejects.toThrow(refusal)
  await expect(open(join(parent, 'alias'))).rejects.toThrow(refusal)
  await open(join(parent, 'other'))
  await first.release()
  await open(join(parent, 'alias'))
})

test('another process is refused while the first lives, and not after it was killed', async () => {
  const folder = await folders.create()
  const first = folders.hold(folder)
  await first.url()
  const second = folders.hold(folder)
  expect((await second.hears('failed')).message).toMatch(/^Another Assay process uses/)
  await first.kill()
  const third = folders.hold(folder)
  await third.url()
  await third.stop()
})

test('a lock file that a killed process left is taken over, that of a living one is not', async () => {
  const path = join(parent, 'lock.sock')
  await writeFile(path, '')
  const release = await tryLockFile(path)
  expect(release).toBeDefined()
  expect(await tryLockFile(path)).toBeUndefined()
  await release?.()
  const again = await tryLockFile(path)
  expect(again).toBeDefined()
  await again?.()
})
