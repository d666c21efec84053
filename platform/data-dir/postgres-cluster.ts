import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from './durable-file.ts'
import { errorCode } from './error-code.ts'
import { type Account, giveTo } from './postgres-account.ts'
import type { Binaries } from './postgres-binaries.ts'
import { folderArgument, postgresEnv, postgresFailure } from './postgres-process.ts'

export const USER = 'assay'

/** True if the data folder exists. Throws when something else is in its place. */
export async function isInitialised(directory: string): Promise<boolean> {
  const names = await readdir(directory).catch((error) =>
    errorCode(error) === 'ENOENT' ? [] : [`no folder: ${error.message}`],
  )
  if (names.length === 0 || names.includes('PG_VERSION')) return names.length > 0
  throw new Error(`${directory} holds something else than a database: move it away or set DATA_DIR`)
}

/**
 * Creates the data folder with initdb. It appears under its name only when it is complete: initdb works in a sibling
 * folder, and what an interrupted one left there is removed by the next start.
 */
export async function createCluster(
  directory: string,
  o: { binaries: Binaries; account: Account | undefined; clusterName: string; password: string },
): Promise<void> {
  const { account } = o
  const parent = dirname(directory)
  const draft = await mkdtemp(join(parent, draftPrefix(directory)))
  try {
    const data = join(draft, 'data')
    await mkdir(data, { mode: 0o700 })
    await writeFile(join(draft, 'password'), `${o.password}\n`, { mode: 0o600 })
    if (account) await giveTo(account, draft)
    await runInitdb(data, o)
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

function runInitdb(
  data: string,
  { binaries, account, clusterName }: Parameters<typeof createCluster>[1],
): Promise<void> {
  const args = [
    ...['-D', folderArgument(data, account), '--username', USER, '--pwfile', '../password'],
    ...['--auth', 'scram-sha-256', '--encoding', 'UTF8'],
    ...['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    ...['--set', `cluster_name=${clusterName}`, '--no-instructions'],
  ]
  return new Promise((resolve, reject) => {
    const child = spawn(binaries.initdb, args, {
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
      else reject(postgresFailure(`initdb failed (${signal ?? code}): ${faultIn(output)}`))
    })
  })
}

/** First fault that initdb reports; the others follow from it. */
function faultIn(output: string): string {
  const [, fault = output] = /(?:FATAL|PANIC|error): +(.+)/.exec(output) ?? []
  return fault.trim()
}
