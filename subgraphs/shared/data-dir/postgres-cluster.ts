import { spawn } from 'node:child_process'
import { chown, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from './durable-file.ts'
import type { Account } from './postgres-account.ts'
import type { Binaries } from './postgres-binaries.ts'
import { folderArgument, postgresEnv } from './postgres-process.ts'

export const USER = 'assay'

export const isInitialised = (directory: string): Promise<boolean> =>
  stat(join(directory, 'PG_VERSION')).then(
    () => true,
    () => false,
  )

/**
 * Creates the data folder with initdb. It appears under its name only when it is complete: initdb works in a sibling
 * folder, and what an interrupted one left there is removed by the next start.
 */
export async function createCluster(
  directory: string,
  { initdb }: Binaries,
  account: Account | undefined,
  password: string,
): Promise<void> {
  const parent = dirname(directory)
  const draft = await mkdtemp(join(parent, draftPrefix(directory)))
  try {
    const data = join(draft, 'data')
    await mkdir(data, { mode: 0o700 })
    await writeFile(join(draft, 'password'), `${password}\n`, { mode: 0o600 })
    if (account) {
      for (const path of [draft, data, join(draft, 'password')]) {
        await chown(path, account.uid, account.gid)
      }
    }
    await runInitdb(initdb, data, account)
    await rename(data, directory)
    await syncFolder(parent)
  } finally {
    await rm(draft, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The folders that interrupted first starts left behind. */
export async function findDrafts(directory: string): Promise<string[]> {
  const names = await readdir(dirname(directory))
  const prefix = draftPrefix(directory)
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(dirname(directory), name))
}

const draftPrefix = (directory: string) => `${basename(directory)}.init-`

function runInitdb(initdb: string, data: string, account: Account | undefined): Promise<void> {
  const args = [
    ...['-D', folderArgument(data, account), '--username', USER, '--pwfile', '../password'],
    ...['--auth', 'scram-sha-256', '--encoding', 'UTF8'],
    ...['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    '--no-instructions',
  ]
  return new Promise((resolve, reject) => {
    const child = spawn(initdb, args, {
      cwd: data,
      env: postgresEnv,
      ...(account && { uid: account.uid, gid: account.gid }),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-4000)
      })
    }
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`initdb failed (${signal ?? code}): ${output.trim()}`))
    })
  })
}
