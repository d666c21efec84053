import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { refusedAs } from '../../formats/artifact-files/file-reason.ts'
import { makeFolder } from '../../formats/make-folder.ts'
import { type Release, tryLock } from './exclusive-lock.ts'
import { folderId } from './folder-id.ts'
import { type Keys, loadKeys } from './keys.ts'

/** The folder of one installation: its generated keys and its embedded database. */
export interface DataDir {
  /** Absolute, without symbolic links. */
  path: string
  keys: Keys
  /** Lets another process open it; twice is harmless. A killed process has released it too. */
  release: Release
}

/** Opens the folder for this process alone, creating it on the first start. Throws while another process has it open. */
export const openDataDir = (path: string): Promise<DataDir> => open(path).catch(refused(path))

/** For `catch`: what to do where the system refuses the folder or something in it. */
export const refused = (path: string) =>
  refusedAs(
    `The data folder ${path} cannot be used`,
    'Set DATA_DIR to a folder that this user may write to, on a disk with free space.',
  )

async function open(path: string): Promise<DataDir> {
  await makeFolder(path, 0o700)
  const folder = await realpath(path)
  const release = await tryLock(`assay-${await folderId(folder)}`)
  if (!release) {
    throw new Error(`Another Assay process uses the data folder ${folder}; stop it or set DATA_DIR`)
  }
  try {
    return { path: folder, keys: await loadKeys(join(folder, 'keys.json')), release }
  } catch (error) {
    await release()
    throw error
  }
}
