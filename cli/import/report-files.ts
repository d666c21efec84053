import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { usageError } from '../exit-codes.ts'
import { STDIN } from '../text-file.ts'

/** Files of one import. */
const MAX_FILES = 1_000

/** A report to read. */
export interface ReportPath {
  path: string
  /** Found in a folder, and not named by itself. */
  isFound: boolean
}

/**
 * The files that are named, and those in folders that are named, in order and each once. Nothing hidden is looked at, and
 * no link is followed in a folder.
 * @param ends of names that a format has @throws CommandError; what the system says of a file
 */
export async function reportFiles(named: readonly string[], ends: RegExp): Promise<ReportPath[]> {
  const found = new Map<string, ReportPath>()
  for (const name of named) {
    const isFolder = name !== STDIN && (await stat(name)).isDirectory()
    const paths = isFolder ? await filesBelow(name, ends) : [name]
    if (paths.length === 0) throw usageError(`${name} has no file of this format: name the reports`)
    for (const path of paths) {
      const key = path === STDIN ? STDIN : resolve(path)
      if (!found.has(key) || !isFolder) found.set(key, { path, isFound: isFolder })
    }
  }
  if (found.size > MAX_FILES)
    throw usageError(
      `There are ${found.size} files, expected at most ${MAX_FILES}: import them in parts`,
    )
  return [...found.values()]
}

async function filesBelow(folder: string, ends: RegExp): Promise<string[]> {
  const files: string[] = []
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) files.push(...(await filesBelow(path, ends)))
    else if (entry.isFile() && ends.test(entry.name)) files.push(path)
  }
  return files
}

const MAX_SHOWN = 10

/** Names all that is wrong, so that no file has to be looked for twice. */
export function refuseAll(faults: readonly string[]): void {
  if (faults.length === 0) return
  const shown = faults.slice(0, MAX_SHOWN)
  const more = faults.length - shown.length
  throw usageError([...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'))
}
