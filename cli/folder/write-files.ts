import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { otherArtifactFiles } from '../../schema/artifact-files/read.ts'
import { makeFolder } from '../../schema/make-folder.ts'
import { usageError } from '../exit-codes.ts'

/**
 * Writes files by path, all or none, in place of files that were there, also those of an artifact in another format.
 * @param advice what helps where one is there; null to replace it @throws CommandError
 */
export async function writeFiles(
  files: Readonly<Record<string, string>>,
  advice: string | null,
): Promise<void> {
  const paths = Object.keys(files)
  const others = paths.flatMap(otherArtifactFiles)
  const taken = advice === null ? undefined : [...paths, ...others].find((path) => existsSync(path))
  if (taken !== undefined) throw usageError(`${taken} exists; nothing was written. ${advice}`)
  for (const [path, text] of Object.entries(files)) await writeInto(path, text)
  for (const other of others) await rm(other, { force: true })
}

/** Writes a file, and makes the folders above it. */
export async function writeInto(path: string, content: string | Uint8Array): Promise<void> {
  await makeFolder(dirname(path))
  await writeFile(path, content)
}
