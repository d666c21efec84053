import { posix } from 'node:path'
import { type CoveredFile, isAbsolute } from './collect-lines.ts'

/** Reads a path below the folder of a run: null for what is no file there, an empty text for one that is too large to keep. */
export type ReadSource = (path: string) => Promise<string | null>

export interface LocatedFile {
  /** Below the folder of the run where the file lies in it; else as its report names it. */
  name: string
  /** Empty where it was not found. */
  sourceCode: string
  /** Folder of the report below that of the run; null where the name is sure without it. */
  reportFolder: string | null
  lines: ReadonlyMap<number, boolean>
}

/** Parts at the end of an absolute path that are looked for: reports come out of containers that mount a project elsewhere. */
const MAX_PARTS = 12
/** A name alone, such as `index.js`, is that of too many files. */
const MIN_PARTS = 2

/**
 * Finds the file that a report means. A relative path is looked for from the folder of the report upwards; a file with
 * fewer lines than the report counts is another one, if there is a better.
 * @param root absolute path of the folder of the run
 * @param reportFolder below it; empty for itself
 */
export async function locateFile(
  { path, places, lines }: CoveredFile,
  { root, reportFolder }: { root: string; reportFolder: string },
  read: ReadSource,
): Promise<LocatedFile> {
  const last = [...lines.keys()].reduce((most, line) => Math.max(most, line), 0)
  let found: LocatedFile | null = null
  for (const place of [...places, path].flatMap((each) => candidates(each, root, reportFolder))) {
    const sourceCode = await read(place)
    if (sourceCode === null) continue
    const file = { name: place, sourceCode, reportFolder: null, lines }
    if (sourceCode === '' || sourceCode.split('\n').length >= last) return file
    found ??= file
  }
  if (found) return found
  const name = below(root, path)
  const isRelative = name === path && !isAbsolute(path)
  return { name, sourceCode: '', reportFolder: isRelative ? reportFolder : null, lines }
}

/** Files that were not found, under names that reports of several folders use: each gets the folder of its report. */
export function keepApart<File extends { componentName: string; reportFolder?: string | null }>(
  files: readonly File[],
): Omit<File, 'reportFolder'>[] {
  const folders = new Map<string, Set<string>>()
  for (const { componentName, reportFolder } of files)
    if (reportFolder != null)
      folders.set(componentName, (folders.get(componentName) ?? new Set()).add(reportFolder))
  return files.map(({ reportFolder, ...file }) => {
    const isShared = (folders.get(file.componentName)?.size ?? 0) > 1
    return isShared && reportFolder != null
      ? { ...file, componentName: posix.join(reportFolder, file.componentName) }
      : file
  })
}

function candidates(path: string, root: string, reportFolder: string): string[] {
  const name = below(root, path)
  if (name !== path) return [name]
  const parts = path.split('/')
  if (isAbsolute(path)) {
    const known = parts.slice(1).slice(-MAX_PARTS)
    return known.flatMap((_, from) =>
      known.length - from < MIN_PARTS ? [] : [known.slice(from).join('/')],
    )
  }
  const folders = reportFolder.split('/').filter(Boolean)
  return [...folders, '']
    .map((_, up) => posix.join(...folders.slice(0, folders.length - up), path))
    .filter((each) => each !== '..' && !each.startsWith('../'))
}

const below = (root: string, path: string): string =>
  path.startsWith(`${root}/`) ? posix.normalize(path.slice(root.length + 1)) : path
