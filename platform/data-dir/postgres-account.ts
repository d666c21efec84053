import { lchown, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** An account of the operating system. */
export interface Account {
  name: string
  uid: number
  gid: number
}

/**
 * User that runs PostgreSQL on this data folder: undefined is ourselves. PostgreSQL refuses root, so root lends it the owner
 * of an existing data folder, else the user `postgres`, else `nobody`.
 */
export async function chooseAccount(directory: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  if (process.platform !== 'linux') {
    throw new Error(
      'PostgreSQL refuses to run as root: run Assay as an ordinary user or set DATABASE_URL',
    )
  }
  const accounts = await readAccounts()
  const owner = await stat(directory).catch(() => undefined)
  if (owner !== undefined && owner.uid !== 0) {
    const known = accounts.find(({ uid }) => uid === owner.uid)
    return { name: known?.name ?? `#${owner.uid}`, uid: owner.uid, gid: owner.gid }
  }
  const chosen = ['postgres', 'nobody'].map((name) => accounts.find((one) => one.name === name))
  const account = chosen.find((one) => one !== undefined && one.uid !== 0)
  return account ?? { name: 'nobody', uid: 65534, gid: 65534 }
}

/** Makes all in the folder belong to the account and then, as the sign that it is complete, the folder itself. */
export async function giveTo({ uid, gid }: Account, folder: string): Promise<void> {
  for (const { parentPath, name } of await readdir(folder, {
    recursive: true,
    withFileTypes: true,
  })) {
    await lchown(join(parentPath, name), uid, gid)
  }
  await lchown(folder, uid, gid)
}

async function readAccounts(): Promise<Account[]> {
  const table = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return table.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}
