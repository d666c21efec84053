import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmod,
  chown,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { commandUser } from '../sandbox/walls.ts'
import {
  type Attachment,
  type AttachmentFile,
  type AttachmentLimits,
  type AttachmentUse,
  isText,
  MAX_ATTACHMENTS,
} from './attachment.ts'
import type { Mask } from './mask.ts'

const PREFIX = 'assay-run-'

/** A folder that is made with its first use, for the user of programs. Its name says which process it belongs to. */
export function createRunFolder() {
  let made: Promise<string> | null = null
  const make = async () => {
    const owner = await ownerOf(process.pid)
    const name = owner === null ? PREFIX : `${PREFIX}${await machine()}-${owner}-`
    const path = await mkdtemp(join(await realpath(tmpdir()), name))
    const user = commandUser()
    if (user !== null) await chown(path, user, user)
    return path
  }
  return {
    path: () => {
      made ??= make()
      return made
    },
    /** @returns why it is left; null where it is gone */
    remove: async (): Promise<string | null> => (made ? made.then(removeFolder, () => null) : null),
  }
}

/**
 * Removes the folders of processes that were killed. Those of other machines and containers that share the folder for
 * temporary files stay, as nothing here says whether their processes live.
 * @returns how many were removed, and why others are left
 */
export async function removeOldRunFolders(): Promise<{ removed: number; left: string[] }> {
  const folder = await realpath(tmpdir())
  const own = `${PREFIX}${await machine()}-`
  const users = [process.getuid?.(), commandUser()]
  let removed = 0
  const left: string[] = []
  for (const name of await readdir(folder)) {
    const [, pid, owner] = /^((\d+)-\d+)-[^-]+$/.exec(name.slice(own.length)) ?? []
    if (!name.startsWith(own) || pid === undefined || owner === undefined) continue
    if ((await ownerOf(Number(owner))) === pid) continue
    const path = join(folder, name)
    const found = await lstat(path).catch(() => null) // another worker starts, too
    if (!found?.isDirectory() || !users.includes(found.uid)) continue
    const fault = await removeFolder(path)
    if (fault === null) removed += 1
    else left.push(fault)
  }
  return { removed, left }
}

/** Programs may leave folders that cannot be written to, as Go's module cache. @returns why it is left, or null */
async function removeFolder(path: string): Promise<string | null> {
  try {
    await remove(path).catch(() => makeWritable(path).then(() => remove(path)))
    return null
  } catch (error) {
    return `${error instanceof Error ? error.message : error}`.slice(0, MAX_REASON)
  }
}

/** Characters: `rm` names each file that it leaves. */
const MAX_REASON = 500

/** Not `fs.rm`: a program that puts a link in the place of a folder meanwhile would have root remove what it leads to. */
const remove = (path: string) => promisify(execFile)('rm', ['-rf', '--', path])

/** Not as root, who needs no such permission, and whom links could lead anywhere. */
async function makeWritable(path: string): Promise<void> {
  if (commandUser() !== null || !(await lstat(path)).isDirectory()) return
  await chmod(path, 0o700)
  for (const each of await readdir(path, { withFileTypes: true }))
    if (each.isDirectory()) await makeWritable(join(path, each.name))
}

/** A process by its number and when it started, as numbers are used again; null for none. */
async function ownerOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  // The name of the program, in brackets, may hold anything; the start is the 20th field after it.
  const started = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return started === undefined ? null : `${pid}-${started}`
}

/** Within which a number means one process: the machine since it started, and its PID namespace. */
async function machine(): Promise<string> {
  const parts = [readFile('/proc/sys/kernel/random/boot_id', 'utf8'), readlink('/proc/self/ns/pid')]
  const text = await Promise.all(parts).catch(() => [])
  return createHash('sha256').update(text.join()).digest('hex').slice(0, 8)
}

/** Store of the files of a run. */
export interface FileStore {
  limits: AttachmentLimits
  /** Use of the store by earlier tries of the execution. */
  used(): Promise<AttachmentUse>
  /** @returns null when the run may write no more */
  keep(file: AttachmentFile): Promise<Attachment | null>
}

/** The files of a run, within the limits of one execution. */
export interface RunFiles {
  bytesOfOne: number
  /** @returns the file as it is kept, or why it is not */
  keep(file: AttachmentFile): Promise<Attachment | string>
}

/** @param store null keeps nothing */
export function createRunFiles(store: FileStore | null, mask: Mask): RunFiles {
  const { bytesOfOne = 0, bytesOfAll = 0 } = store?.limits ?? {}
  let using: Promise<AttachmentUse> | undefined
  return {
    bytesOfOne,
    async keep({ name, contentType, content }) {
      if (!store) return 'has no place: this run keeps no files'
      using ??= store.used()
      const use = await using
      if (use.files >= MAX_ATTACHMENTS)
        return `is one of more than ${MAX_ATTACHMENTS} of the execution`
      if (use.bytes + content.length > bytesOfAll)
        return `and those before it are larger than ${bytesOfAll} bytes (ATTACHMENTS_BYTES)`
      use.files += 1
      use.bytes += content.length
      const clean = isText(contentType) ? masked(content, mask) : content
      const kept = await store.keep({ name: mask.text(name), contentType, content: clean })
      return kept ?? 'came after the end of the execution'
    },
  }
}

/** Text need not be UTF-8: without a secret it stays as it is. */
function masked(content: Buffer, mask: Mask): Buffer {
  const text = content.toString()
  const clean = mask.text(text)
  return clean === text ? content : Buffer.from(clean)
}
