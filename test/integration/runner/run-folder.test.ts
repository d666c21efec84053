import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createRunFolder, removeOldRunFolders } from '../../../runner/run/folder.ts'
import { asOrdinaryUser } from '../../support/attacks/attacker.ts'

const made: string[] = []
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true })
})

/** A folder named as those of another process are, with the same last part of its name. */
const named = (path: string, pid: string | number, started: string | number) => {
  const other = path.replace(/-\d+-\d+-([^-]+)$/, `-${pid}-${started}-$1`)
  made.push(other)
  return other
}

test('folders of ended processes are removed, and no others', async () => {
  const folder = createRunFolder()
  const own = await folder.path()
  const [, pid = '', started = ''] = /-(\d+)-(\d+)-[^-]+$/.exec(own) ?? []
  expect(Number(pid)).toBe(process.pid)
  expect(statSync(own).mode & 0o777).toBe(0o700)

  const child = spawn('true')
  await once(child, 'exit')
  const ended = named(own, child.pid ?? 0, started)
  const reused = named(own, pid, 1)
  const ofOthers = named(own, child.pid ?? 0, 1).replace(/run-[0-9a-f]{8}/, 'run-00000000')
  const link = named(own, child.pid ?? 0, 2)
  made.push(ofOthers)
  for (const path of [ended, reused, ofOthers]) mkdirSync(path)
  writeFileSync(`${ended}/left`, '')
  symlinkSync(own, `${ended}/link`)
  writeFileSync(`${own}/kept`, '')
  symlinkSync(own, link)

  await removeOldRunFolders()
  expect([ended, reused, ofOthers, own, link].map((path) => existsSync(path))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ])
  expect(existsSync(`${own}/kept`)).toBe(true)
  await folder.remove()
  expect(existsSync(own)).toBe(false)
})

/** Removes run folders that programs of an ordinary user closed. */
async function removedByOrdinaryUser(): Promise<Record<string, unknown>> {
  const tmp = mkdtempSync(join(tmpdir(), 'run-folders-'))
  made.push(tmp)
  chmodSync(tmp, 0o777)
  const program = fileURLToPath(new URL('../../support/runner/closed-folders.ts', import.meta.url))
  const command = process.getuid?.() === 0 ? asOrdinaryUser([process.execPath]) : [process.execPath]
  const [file = '', ...args] = [...command, program]
  const { stdout } = await promisify(execFile)(file, args, { env: { ...process.env, TMPDIR: tmp } })
  return JSON.parse(stdout)
}

test('folders that a program made read-only are removed, and no link is followed', async () => {
  const { closed, linked } = await removedByOrdinaryUser()
  expect(closed).toEqual({ own: null, old: { removed: 1, left: [] } })
  expect(linked).toBe(0o555)
})

test('folders that cannot be removed are reported, and reject nothing', async () => {
  const { sealed } = await removedByOrdinaryUser()
  const reason = expect.stringMatching(/^Command failed: rm .*Permission denied/s)
  expect(sealed).toEqual({ own: reason, old: { removed: 0, left: [reason, reason] } })
})
