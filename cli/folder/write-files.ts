import { randomUUID } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isBelow } from '../../formats/artifact-files/inside.ts'
import { otherArtifactFiles } from '../../formats/artifact-files/read.ts'
import { makeFolder } from '../../formats/make-folder.ts'
import { CommandError, EXIT, usageError } from '../exit-codes.ts'

/** Names that an artifact, a result or a file of one may have, none of them hidden (`.git`); a server may send anything else. */
const ID = /^(?!\.)[A-Za-z0-9._~:-]{1,255}$/

/** @returns the id, which leads nowhere else as a part of a path @param what has it @throws CommandError for any other */
export function idForPath(id: unknown, what: string): string {
  if (typeof id === 'string' && ID.test(id)) return id
  throw new CommandError(
    EXIT.refused,
    `${what} has the id ${JSON.stringify(id)?.slice(0, 100)}, which cannot be the name of a file: an id has 1 to 255 of the signs A-Z a-z 0-9 . _ ~ : - and begins with no dot. Store it under another id, or check that ASSAY_URL is an Assay`,
  )
}

/**
 * Writes files into a folder by name, all or none, in place of files that were there, also those of an artifact in another
 * format.
 * @param advice what helps where one is there; null to replace it @throws CommandError
 */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  advice: string | null,
): Promise<void> {
  const paths = Object.keys(files).map((name) => join(folder, name))
  const others = paths.flatMap(otherArtifactFiles)
  for (const path of [...paths, ...others]) {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isSymbolicLink()) throw usageError(`${path} is a link; nothing was written. ${LINK}`)
    if (found && advice !== null) throw usageError(`${path} exists; nothing was written. ${advice}`)
  }
  for (const [name, text] of Object.entries(files))
    await writeBelow(folder, name, text, advice === null)
  for (const other of others) await rm(other, { force: true })
}

const LINK = 'Links are not followed: remove it'

/**
 * Writes a file that others named into a folder, and makes the folders between.
 * @param isReplacing whether one that is there makes place @throws CommandError where a link leads out of the folder
 */
export async function writeBelow(
  folder: string,
  name: string,
  content: string | Uint8Array,
  isReplacing: boolean,
): Promise<void> {
  const path = join(folder, name)
  await makeFolder(folder)
  await makeFolder(dirname(path))
  if (!isBelow(await realpath(dirname(path)), await realpath(folder)))
    throw usageError(`${dirname(path)} leads out of ${folder}. ${LINK}`)
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw usageError(`${path} is a link. ${LINK}`)
  if (!isReplacing) return writeFile(path, content, { flag: 'wx' })
  const own = join(dirname(path), `.${randomUUID()}.tmp`)
  try {
    await writeFile(own, content, { flag: 'wx' })
    await rename(own, path) // takes the place of a link that came meanwhile, too
  } finally {
    await rm(own, { force: true })
  }
}

/** Writes a file where the command line says, and makes the folders above it. */
export async function writeInto(path: string, content: string | Uint8Array): Promise<void> {
  await makeFolder(dirname(path))
  await writeFile(path, content)
}
