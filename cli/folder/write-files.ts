import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../../schema/make-folder.ts'
import { usageError } from '../exit-codes.ts'

/** Writes files by path, all or none. @param advice what helps where one of them exists @throws CommandError */
export async function writeFiles(
  files: Readonly<Record<string, string>>,
  advice: string | null,
): Promise<void> {
  const paths = Object.keys(files)
  const taken = advice === null ? undefined : paths.find((path) => existsSync(path))
  if (taken !== undefined) throw usageError(`${taken} exists; nothing was written. ${advice}`)
  for (const [path, text] of Object.entries(files)) await writeInto(path, text)
}

/** Writes a file, and makes the folders above it. */
export async function writeInto(path: string, content: string | Uint8Array): Promise<void> {
  await makeFolder(dirname(path))
  await writeFile(path, content)
}
