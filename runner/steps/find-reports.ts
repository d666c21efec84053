import { constants } from 'node:fs'
import { type FileHandle, open, opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** Names in folders that one step may have looked at. */
const MAX_ENTRIES = 100_000
/** Folders within each other; each of them is held open. */
const MAX_DEPTH = 64
const MAX_REPORTS = 1_000

/** Files that the patterns of a step have found so far. */
export interface Findings {
  entries: number
  reports: number
}

/**
 * The plain files below a folder that a pattern names, sorted. `*` stands for any part of a name and `**` for any
 * folders, but not for names with a dot in front. No link is followed, and no folder of another user is looked into.
 * @param isMeant leaves files out by their whole path, before they count
 * @throws Error that names a limit; the reason of the signal
 */
export async function findReports(
  folder: string,
  pattern: string,
  findings: Findings,
  signal: AbortSignal,
  isMeant: (file: string) => Promise<boolean> = async () => true,
): Promise<string[]> {
  const search = new ReportSearch(pattern, findings, signal, isMeant)
  return search.below(folder)
}

class ReportSearch {
  readonly #pattern: Pattern
  readonly #findings: Findings
  readonly #signal: AbortSignal
  readonly #isMeant: (file: string) => Promise<boolean>
  readonly #found: string[] = []

  constructor(
    pattern: string,
    findings: Findings,
    signal: AbortSignal,
    isMeant: (file: string) => Promise<boolean>,
  ) {
    this.#pattern = new Pattern(pattern)
    this.#findings = findings
    this.#signal = signal
    this.#isMeant = isMeant
  }

  async below(folder: string): Promise<string[]> {
    await this.#lookInto(folder, [], this.#pattern.first, null)
    return this.#found.sort()
  }

  /** @param at positions in the pattern that names in this folder may match */
  async #lookInto(path: string, inside: string[], at: number[], user: number | null) {
    const handle = await openFolder(path)
    if (!handle) return
    try {
      const { uid } = await handle.stat()
      if (user !== null && uid !== user) return
      if (inside.length > MAX_DEPTH) throw new Error(`lies deeper than ${MAX_DEPTH} folders`)
      const here = pathOf(handle, path)
      for await (const entry of await opendir(here, { bufferSize: 1_000 })) {
        this.#signal.throwIfAborted()
        this.#findings.entries += 1
        if (this.#findings.entries > MAX_ENTRIES)
          throw new Error(`is looked for among more than ${MAX_ENTRIES} files. Name its folder`)
        const name = [...inside, entry.name]
        const whole = join(here, entry.name)
        if (entry.isFile() && this.#pattern.isNamed(entry.name, at) && (await this.#isMeant(whole)))
          this.#add(name.join('/'))
        const next = entry.isDirectory() ? this.#pattern.positionsBelow(entry.name, at) : []
        if (next.length > 0) await this.#lookInto(whole, name, next, uid)
      }
    } finally {
      await handle.close()
    }
  }

  #add(name: string): void {
    this.#findings.reports += 1
    if (this.#findings.reports > MAX_REPORTS)
      throw new Error(`is one of more than ${MAX_REPORTS} of the step. Merge them`)
    this.#found.push(name)
  }
}

/** A path whose segments may have `*`, or be `**`. */
class Pattern {
  readonly #segments: readonly string[]
  /** Positions that names in the folder itself may match. */
  readonly first: number[]

  constructor(pattern: string) {
    this.#segments = pattern.split('/').filter((segment) => segment !== '' && segment !== '.')
    this.first = this.#reached([0])
  }

  isNamed(name: string, positions: readonly number[]): boolean {
    const last = this.#segments.length - 1
    return positions.some((at) => at === last && matches(this.#segments[at] ?? '', name))
  }

  positionsBelow(name: string, positions: readonly number[]): number[] {
    return this.#reached(
      positions.flatMap((at) => {
        const segment = this.#segments[at] ?? ''
        if (!matches(segment, name)) return []
        if (segment === '**') return [at]
        return at + 1 < this.#segments.length ? [at + 1] : []
      }),
    )
  }

  /** `**` stands for no folder at all, too. */
  #reached(positions: readonly number[]): number[] {
    const all = new Set(positions)
    for (const at of all)
      if (this.#segments[at] === '**' && at + 1 < this.#segments.length) all.add(at + 1)
    return [...all]
  }
}

/** Null unless it is a folder (not a link) that this user may read. */
const openFolder = (path: string): Promise<FileHandle | null> =>
  open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(() => null)

/** The folder that was opened, even where a program has put a link in its place since. */
const pathOf = ({ fd }: FileHandle, path: string) =>
  process.platform === 'linux' ? `/proc/self/fd/${fd}` : path

/** In linear time: no regular expression, as names and patterns are the user's. */
function matches(segment: string, name: string): boolean {
  const [start = '', ...parts] = segment.split('*')
  const end = parts.pop()
  if (end === undefined) return name === segment
  if (start === '' && name.startsWith('.')) return false
  if (!name.startsWith(start)) return false
  let at = start.length
  for (const part of parts) {
    const next = name.indexOf(part, at)
    if (next === -1) return false
    at = next + part.length
  }
  return name.length - end.length >= at && name.endsWith(end)
}
